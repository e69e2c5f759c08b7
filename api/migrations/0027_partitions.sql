-- Tables that only grow are split by time: the audit log by month, tokens and challenges by day. Old days are dropped, which
-- takes no time, instead of deleted row by row. The previous release works with the tables as before: it inserts and reads
-- through the parents, which have the old names, columns and rights.

-- Its own schema, in which the role of the processes has no rights: it reads and writes the parents only.
create schema partitions;

-- The lowest id that uuidv7() makes on a day. Rows of tokens and challenges belong to the day of their id.
create function partitions.first_id(day date) returns uuid
language sql immutable
set search_path = pg_catalog, pg_temp
as $$ select (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid $$;

-- The indexes that a parent cannot have, because they do not contain its partition key.
create function partitions.add_indexes(parent text, name text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  case parent
    when 'audit_events' then
      execute format('alter table partitions.%I add primary key (transaction, id)', name);
      execute format('create index on partitions.%I (subject_id, at)', name);
    when 'challenges' then
      execute format('create unique index on partitions.%I (token_hash)', name);
    when 'session_tokens' then
      execute format('create unique index on partitions.%I (access_hash)', name);
      execute format('create unique index on partitions.%I (refresh_hash)', name);
  end case;
end
$$;

-- Creates one partition that is missing, of this month and the next three, or of today and the next three days. Returns its
-- name, or null if none is missing. Rows that are in the default partition meanwhile are moved to it. The processes call it
-- with the rights of the owner, so it takes no parameters.
create function make_partition() returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
-- As for migrations: an attempt that waits for a lock lets other statements through.
set lock_timeout = '500ms'
as $$
declare
  wanted record;
  default_name text;
  -- Not now(): the transaction may have begun the day before.
  today date := clock_timestamp()::date;
begin
  perform pg_advisory_xact_lock(hashtext('guidon.partitions'));
  select * into wanted
  from (
    select 'audit_events' as parent, 'audit_events_' || to_char(month, 'YYYYMM') as name, 'at' as key,
      month::text as low, (month + interval '1 month')::text as high
    from generate_series(0, 3) as ahead,
      lateral (select date_trunc('month', today::timestamptz) + make_interval(months => ahead) as month) as months
    union all
    select parent, parent || to_char(day, '_YYYYMMDD'), 'id', partitions.first_id(day)::text,
      partitions.first_id(day + 1)::text
    from unnest(array['challenges', 'session_tokens']) as parent, generate_series(0, 3) as ahead,
      lateral (select today + ahead as day) as days) as planned
  where to_regclass(format('partitions.%I', name)) is null
  order by name limit 1;
  if not found then
    return null;
  end if;
  default_name := wanted.parent || '_default';
  execute format('create table partitions.%I (like public.%I including all)', wanted.name, wanted.parent);
  perform partitions.add_indexes(wanted.parent, wanted.name);
  -- In the order in which an insert locks them.
  execute format('lock table public.%I in share update exclusive mode', wanted.parent);
  execute format('lock table partitions.%I in access exclusive mode', default_name);
  execute format('with moved as (delete from partitions.%1$I where %2$I >= %3$L and %2$I < %4$L returning *)
    insert into partitions.%5$I select * from moved',
    default_name, wanted.key, wanted.low, wanted.high, wanted.name);
  execute format('alter table public.%I attach partition partitions.%I for values from (%L) to (%L)',
    wanted.parent, wanted.name, wanted.low, wanted.high);
  return wanted.name;
end
$$;
revoke execute on function make_partition() from public;
grant execute on function make_partition() to guidon_app;

-- Drops one partition of tokens or challenges whose day has been over for 25 hours. By then every row has been expired for
-- some time: a session lasts at most 12 hours, a challenge 40 minutes. Returns its name, or null if there is none.
create function drop_expired_partition() returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set lock_timeout = '500ms'
as $$
declare
  expired name;
  today date := clock_timestamp()::date;
begin
  perform pg_advisory_xact_lock(hashtext('guidon.partitions'));
  delete from partitions.challenges_default where id < partitions.first_id(today - 2);
  delete from partitions.session_tokens_default where id < partitions.first_id(today - 2);
  select relname into expired from pg_class
  where relnamespace = 'partitions'::regnamespace and relkind = 'r'
    and relname ~ '^(challenges|session_tokens)_\d{8}$'
    and to_date(right(relname, 8), 'YYYYMMDD') + 1 < now() - interval '25 hours'
  order by relname limit 1;
  if expired is not null then
    execute format('drop table partitions.%I', expired);
  end if;
  return expired;
end
$$;
revoke execute on function drop_expired_partition() from public;
grant execute on function drop_expired_partition() to guidon_app;

-- Until when each table has partitions, and whether rows had to go to the default partition.
create function partition_state() returns table (parent text, until timestamptz, has_default_rows boolean)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query
    select 'audit_events', max(to_date(right(relname, 6), 'YYYYMM') + interval '1 month')::timestamptz,
      exists (select from partitions.audit_events_default)
    from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^audit_events_\d{6}$'
    union all
    select 'challenges', max(to_date(right(relname, 8), 'YYYYMMDD') + 1)::timestamptz,
      exists (select from partitions.challenges_default)
    from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^challenges_\d{8}$'
    union all
    select 'session_tokens', max(to_date(right(relname, 8), 'YYYYMMDD') + 1)::timestamptz,
      exists (select from partitions.session_tokens_default)
    from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^session_tokens_\d{8}$';
end
$$;
revoke execute on function partition_state() from public;
grant execute on function partition_state() to guidon_app;

-- The tables of today become the first partitions, which end with this month and with today. No index is built. The rows of
-- the audit log are read once, unless the validated check audit_events_before says that they are older: see
-- docs/operate/upgrade.md. Sign-ins
-- wait meanwhile; the tables that every request reads come last.

do $$
declare
  first text;
  month timestamptz;
begin
  alter table audit_events set schema partitions;
  -- After the lock, so that no row is newer.
  month := date_trunc('month', clock_timestamp(), 'UTC');
  first := 'audit_events_' || to_char(month at time zone 'UTC', 'YYYYMM');
  execute format('alter table partitions.audit_events rename to %I', first);
  execute format('create table public.audit_events (like partitions.%I including defaults)
    partition by range (at)', first);
  execute format('alter table public.audit_events attach partition partitions.%I for values from (minvalue) to (%L)',
    first, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
  execute format('alter table partitions.%I drop constraint if exists audit_events_before', first);
  execute format('revoke all on partitions.%I from guidon_app', first);
end
$$;
revoke all on audit_events from guidon_app;
grant select on audit_events to guidon_app;
grant insert (event, actor_id, subject_id, details) on audit_events to guidon_app;
create table partitions.audit_events_default partition of audit_events default;
select partitions.add_indexes('audit_events', 'audit_events_default');

-- The hourly sweep deletes no rows of these any more.
drop index challenges_expires;

do $$
declare
  today date;
  first text;
begin
  alter table challenges set schema partitions;
  today := (clock_timestamp() at time zone 'UTC')::date;
  first := 'challenges_' || to_char(today, 'YYYYMMDD');
  execute format('alter table partitions.challenges rename to %I', first);
  execute format('create table public.challenges (like partitions.%I including defaults including constraints)
    partition by range (id)', first);
  alter table public.challenges add primary key (id),
    add constraint challenges_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
    add constraint challenges_sign_up_id_fkey foreign key (sign_up_id) references sign_ups (id) on delete cascade;
  create index challenges_user on public.challenges (user_id, created_at);
  create index challenges_sign_up on public.challenges (sign_up_id) where sign_up_id is not null;
  execute format('alter table public.challenges attach partition partitions.%I for values from (minvalue) to (%L)',
    first, partitions.first_id(today + 1));
  execute format('revoke all on partitions.%I from guidon_app', first);
end
$$;
grant select, insert, update, delete on challenges to guidon_app;
create table partitions.challenges_default partition of challenges default;
select partitions.add_indexes('challenges', 'challenges_default');

do $$
declare
  today date;
  first text;
begin
  alter table session_tokens set schema partitions;
  today := (clock_timestamp() at time zone 'UTC')::date;
  first := 'session_tokens_' || to_char(today, 'YYYYMMDD');
  execute format('alter table partitions.session_tokens rename to %I', first);
  execute format('create table public.session_tokens (like partitions.%I including defaults including constraints)
    partition by range (id)', first);
  alter table public.session_tokens add primary key (id),
    add constraint session_tokens_session_id_fkey foreign key (session_id) references sessions (id) on delete cascade;
  create index session_tokens_session on public.session_tokens (session_id);
  execute format('alter table public.session_tokens attach partition partitions.%I for values from (minvalue) to (%L)',
    first, partitions.first_id(today + 1));
  execute format('revoke all on partitions.%I from guidon_app', first);
end
$$;
grant select, insert, update, delete on session_tokens to guidon_app;
create table partitions.session_tokens_default partition of session_tokens default;
select partitions.add_indexes('session_tokens', 'session_tokens_default');

do $$
begin
  while make_partition() is not null loop
  end loop;
end
$$;
