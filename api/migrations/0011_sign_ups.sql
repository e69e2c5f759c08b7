-- A sign-up is not an account until its email is verified, so it lives apart from the accounts: each
-- registration is a row of its own with its own challenge, and none can replace or end another's.
create table sign_ups (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text not null check (phone ~ '^\d{10}$'),
  state text not null,
  terms_version text not null,
  terms_accepted_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index sign_ups_email on sign_ups (email);
create index sign_ups_created on sign_ups (created_at);

-- A challenge belongs to an account or to a sign-up. The release before this one writes the first kind only.
alter table challenges
  alter column user_id drop not null,
  add column sign_up_id uuid references sign_ups (id) on delete cascade,
  add constraint challenges_owner check (num_nonnulls(user_id, sign_up_id) = 1);
create index challenges_sign_up on challenges (sign_up_id) where sign_up_id is not null;

-- A keyed hash of the email that a counter is about, so that a reset or the operator can clear its counters.
alter table limits add column subject bytea;
create index limits_subject on limits (subject) where subject is not null;
