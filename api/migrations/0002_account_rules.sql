-- Sign-up, limits, password resets, known devices and the audit log.

alter table users
  add column terms_version text,
  add column terms_accepted_at timestamptz,
  add column salesforce_id text;

-- A sign-up with a taken email gets a challenge that no code opens, so that its answer tells nothing.
alter table challenges add column decoy boolean not null default false;

-- Counted under a keyed hash of what is limited, so that unknown emails are counted like known ones.
create table limits (
  key bytea primary key,
  count integer not null,
  resets_at timestamptz not null,
  blocked_until timestamptz not null default '-infinity'
);
create index limits_resets on limits (resets_at);

create table reset_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index reset_tokens_user on reset_tokens (user_id);

create table devices (
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);

-- Append-only. The transaction's number lets the worker seal rows in an order that is final: below the
-- oldest transaction still running no further row can appear. Nobody waits for anybody to write one.
create table audit_events (
  transaction xid8 not null default pg_current_xact_id(),
  id uuid not null default uuidv7(),
  at timestamptz not null default clock_timestamp(),
  event text not null,
  actor_id uuid,
  subject_id uuid,
  -- Words and numbers about the event, never about a person.
  details jsonb not null default '{}',
  primary key (transaction, id)
);
create index audit_events_subject on audit_events (subject_id, at);

-- Each seal covers the events after the one before it, and hashes that one's hash in.
create table audit_seals (
  number integer primary key,
  until_transaction xid8 not null,
  until_id uuid not null,
  events integer not null,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);

-- The role that the processes work under. It may add to the audit log and read it, and nothing else.
do $$
begin
  if not exists (select from pg_roles where rolname = 'guidon_app') then
    create role guidon_app nologin;
  end if;
exception
  -- Another database of the same cluster was migrated at the same moment.
  when duplicate_object or unique_violation then null;
end
$$;
grant usage on schema public to guidon_app;
grant select, insert, update, delete on all tables in schema public to guidon_app;
alter default privileges in schema public grant select, insert, update, delete on tables to guidon_app;
revoke update, delete on audit_events, audit_seals from guidon_app;
