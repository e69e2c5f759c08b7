-- The entries are their own queue: a worker claims them for a while, calls the CRM without a connection, and
-- records the result if the claim is still its own.
alter table crm_outbox
  add column claim uuid,
  add column claimed_until timestamptz,
  -- Temporary failures since the last step that succeeded, and when the next try is due.
  add column tries integer not null default 0,
  add column retry_at timestamptz,
  -- When the CRM was read to choose the target. Cleared when the write is claimed: after a lost answer the CRM is
  -- read again.
  add column searched_at timestamptz;

create index crm_outbox_claimable on crm_outbox (number) where sent_at is null and refused_at is null;

-- The pace of all workers together. The one row is locked while a round is claimed.
create table crm_sender (
  single boolean primary key default true check (single),
  next_round_at timestamptz not null default now(),
  -- Rounds in a row that failed as a whole.
  failures integer not null default 0
);
insert into crm_sender default values;

-- The job is not used any more. The previous release may still run: its queues stay until the next release.
do $$
begin
  if to_regclass('pgboss.schedule') is not null then
    delete from pgboss.schedule where name = 'crm.sweep-outbox';
  end if;
end
$$;
