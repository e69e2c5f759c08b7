-- Which months of the audit log were written to a file and dropped. The chain is verified from the end of the newest one. The
-- release before this one verifies the whole chain, so it can verify the log only until the first month is archived.
create table audit_archives (
  -- The month, such as 202611. It also has all events of the partition that are older.
  month text primary key check (month ~ '^\d{6}$'),
  -- The file has all events of the seals after those of the archive before it, up to this one.
  until_seal integer not null,
  until_transaction xid8 not null,
  until_id uuid not null,
  -- Of the seal.
  hash bytea not null,
  events bigint not null,
  -- The last seals also cover events of the next months, which are in the log still. This is the hash of these events.
  left_hash bytea not null,
  file_sha256 bytea not null,
  archived_at timestamptz not null default now()
);
revoke insert, update, delete on audit_archives from guidon_app;
