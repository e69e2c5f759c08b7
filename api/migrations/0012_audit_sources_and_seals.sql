-- The audit log: rows that cannot be dated or ordered by their writer, seals that cannot be forged, where an
-- event came from, and counts of blocked tries.

-- Number, id and time of an event come from the database; the application says only what happened.
revoke insert on audit_events from guidon_app;
grant insert (event, actor_id, subject_id, details) on audit_events to guidon_app;

-- A seal is stored only if it is what the stored events add up to, whoever inserts it. The text of an event
-- and the hash over them are those of features/audit/chain.ts.
create function check_audit_seal() returns trigger
language plpgsql
-- Fixed, and every name below is qualified: a temporary table of the caller cannot stand in for the log.
set search_path = pg_catalog, pg_temp
as $$
declare
  last public.audit_seals;
  -- Below it no event can appear any more.
  settled xid8 := public.audit_number(pg_snapshot_xmin(pg_current_snapshot()));
  covered bigint;
  ends boolean;
  expected bytea;
begin
  select * into last from public.audit_seals order by number desc limit 1;
  if (new.number = coalesce(last.number, 0) + 1) is not true then
    raise exception 'audit seal %: does not follow the one before it', new.number
      using errcode = 'check_violation';
  end if;
  if (new.events between 1 and 10000) is not true then
    raise exception 'audit seal %: covers no events, or too many', new.number
      using errcode = 'check_violation';
  end if;
  if (new.until_transaction < settled) is not true then
    raise exception 'audit seal %: reaches beyond what has settled', new.number
      using errcode = 'check_violation';
  end if;
  select count(*), bool_or(transaction = new.until_transaction and id = new.until_id),
    sha256(coalesce(last.hash, decode(repeat('00', 32), 'hex'))
      || string_agg(sha256(convert_to(text, 'UTF8')), ''::bytea order by transaction, id))
  into covered, ends, expected
  from (
    select transaction, id,
      jsonb_build_array(transaction::text, id, extract(epoch from at), event, actor_id, subject_id, details)::text as text
    from public.audit_events
    where (transaction, id) > (coalesce(last.until_transaction, '0'::xid8),
        coalesce(last.until_id, '00000000-0000-0000-0000-000000000000'::uuid))
      and (transaction, id) <= (new.until_transaction, new.until_id)
    order by transaction, id limit new.events + 1) as events;
  if (covered = new.events and ends and expected = new.hash) is not true then
    raise exception 'audit seal %: is not the hash of the events it covers', new.number
      using errcode = 'check_violation';
  end if;
  new.sealed_at := now();
  return new;
end
$$;
create trigger audit_seals_check before insert on audit_seals
  for each row execute function check_audit_seal();

-- Where an event came from. Apart from the log, which is never changed: these rows go after 90 days, or with
-- the person.
create table audit_sources (
  transaction xid8 not null,
  id uuid not null,
  -- The account that was acted as; for someone not signed in, the account that was tried.
  user_id uuid,
  -- An IPv4 address without its last byte, an IPv6 address without all but its first six.
  network cidr,
  -- A keyed hash of the address (IPv6: of its /64), to find what came from the same one.
  address bytea not null,
  at timestamptz not null default now(),
  primary key (transaction, id)
);
create index audit_sources_at on audit_sources (at);
create index audit_sources_user on audit_sources (user_id) where user_id is not null;
create index audit_sources_address on audit_sources (address, at);

-- Tries that a limit turned away. The first of a kind is an event; those after it are counted here, and
-- become one event when their window is over.
create table blocked_tries (
  id uuid primary key default uuidv7(),
  event text not null,
  actor_id uuid,
  subject_id uuid,
  details jsonb not null,
  network cidr,
  address bytea,
  count integer not null default 1,
  started_at timestamptz not null default now()
);
create unique index blocked_tries_kind on blocked_tries (event, actor_id, subject_id, details, address)
  nulls not distinct;
create index blocked_tries_started on blocked_tries (started_at);

-- Whether a folder is somebody else's is looked up when staff change one.
create index users_box_folder on users using hash (box_folder_id);
create index crm_contact_box_folder on crm_contact using hash (box_folder_id);
