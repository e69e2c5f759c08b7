-- A hand-off of one upload to a phone. An account has at most one: a new one replaces it.
create table hand_offs (
  user_id uuid primary key references users (id) on delete cascade,
  id uuid not null default uuidv7(),
  -- Of the computer. Its log out ends the hand-off.
  session_id uuid not null references sessions (id) on delete cascade,
  -- The code on the computer, and the cookie of the phone that opened it first, as keyed hashes.
  token_hash bytea not null,
  phone_hash bytea,
  document_type text not null,
  -- The requested document that the file is for, and its name.
  request_id text,
  request_name text,
  pages integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- While a file is being received.
  sending_since timestamptz,
  arrived_at timestamptz,
  document_id uuid references documents (id) on delete set null,
  -- SHA-256 of the file as it was received, to recognize the same file again.
  received_sha256 bytea
);
create unique index hand_offs_token on hand_offs (token_hash);
create unique index hand_offs_phone on hand_offs (phone_hash);
create index hand_offs_session on hand_offs (session_id);
create index hand_offs_document on hand_offs (document_id) where document_id is not null;
create index hand_offs_expires on hand_offs (expires_at);
