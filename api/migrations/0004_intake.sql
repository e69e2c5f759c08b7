-- The intake of a veteran: one row each, first a draft, then what was sent.

create table intakes (
  id uuid primary key default uuidv7(),
  user_id uuid not null unique references users (id) on delete cascade,
  -- The answers and when each was entered, encrypted; bound to the user.
  key_id text not null,
  sealed bytea not null,
  step text not null,
  -- Of the answers' form, so that a later release still reads them.
  version integer not null,
  revision integer not null default 1,
  saved_at timestamptz not null default now(),
  submitted_at timestamptz
);
-- For the operator who retires a key.
create index intakes_key on intakes (key_id);
