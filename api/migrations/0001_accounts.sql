-- Accounts, the sign-ins under way, and the sessions that come of them.
-- Codes and tokens are stored only as keyed hashes. Times are the database's, so every process agrees.

create table users (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text not null check (phone ~ '^\d{10}$'),
  state text not null,
  role text not null check (role in ('USER', 'STAFF', 'ADMIN')),
  is_active boolean not null default true,
  email_verified_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email on users (email);

-- A sign-in (or sign-up) between its password and its code. The holder of the token may try codes.
create table challenges (
  id uuid primary key default uuidv7(),
  token_hash bytea not null,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('login', 'email')),
  -- Codes asked for so far, and how many of them the worker has made.
  sends integer not null default 1,
  sent_at timestamptz not null default now(),
  code_hash bytea,
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index challenges_token on challenges (token_hash);
create index challenges_user on challenges (user_id, created_at);

create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  idle_limit interval not null,
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

-- Each row is one access token and the refresh token handed out with it. A refresh token is good until
-- it is retired, and presenting one for the first time retires all others of its session: so its parent
-- stays good while an answer may have been lost, and anything older gives itself away.
create table session_tokens (
  id uuid primary key default uuidv7(),
  session_id uuid not null references sessions (id) on delete cascade,
  access_hash bytea not null,
  access_expires_at timestamptz not null,
  refresh_hash bytea not null,
  used_at timestamptz,
  retired_at timestamptz
);
create unique index session_tokens_access on session_tokens (access_hash);
create unique index session_tokens_refresh on session_tokens (refresh_hash);
create index session_tokens_session on session_tokens (session_id);

-- Mail that a relay has accepted, by the id of its job: a job delivered twice sends one mail.
create table sent_mails (
  job_id uuid primary key,
  sent_at timestamptz not null default now()
);
create index sent_mails_sent on sent_mails (sent_at);
