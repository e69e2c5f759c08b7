-- The table is its own queue: a worker claims entries for a while, calls the CRM without holding a database connection,
-- and records the result if the claim is still its own. An entry takes two steps: a search for its target in the CRM,
-- then the write.
alter table crm_outbox
  add column claim uuid,
  add column claimed_until timestamptz,
  -- Temporary failures since the last step that succeeded, and when the next try is due.
  add column tries integer not null default 0,
  add column retry_at timestamptz,
  -- When the target was searched. Cleared when the entry is claimed for the write, so that after a lost response the
  -- CRM is searched again.
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

-- The job crm.sweep-outbox is no longer used. Its queue stays until the next release, because the previous one may still
-- run.
do $$
begin
  if to_regclass('pgboss.schedule') is not null then
    delete from pgboss.schedule where name = 'crm.sweep-outbox';
  end if;
end
$$;
