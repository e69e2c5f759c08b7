-- Uploads whose bytes are still arriving. Their chunks are stored on the way, under the id that the upload keeps.

create table unfinished_uploads (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  -- Null for an upload in one request, which cannot be continued.
  name text,
  -- The other fields of the form.
  fields jsonb not null default '{}',
  size bigint not null,
  received bigint not null default 0,
  -- How many chunks were written, also again; see unfinished.sql.ts.
  parts integer not null default 0,
  expires_at timestamptz not null,
  -- What it has become. The row stays until it expires, for a client that did not receive the response.
  document_id uuid references documents (id) on delete cascade,
  -- Why the file was refused: status, code and message. The row stays for the same reason, without its chunks.
  refusal jsonb
);
create index unfinished_uploads_user on unfinished_uploads (user_id);
create index unfinished_uploads_expires on unfinished_uploads (expires_at);
create index unfinished_uploads_document on unfinished_uploads (document_id)
  where document_id is not null;

-- A chunk belongs to a row of either table, so triggers delete it instead of a foreign key.
alter table upload_chunks drop constraint upload_chunks_upload_id_fkey;

create function delete_upload_chunks() returns trigger language plpgsql as $$
begin
  delete from upload_chunks
  where upload_id = old.id and not exists (select from uploads where id = old.id);
  return null;
end
$$;
create trigger uploads_delete_chunks after delete on uploads
  for each row execute function delete_upload_chunks();
create trigger unfinished_uploads_delete_chunks after delete on unfinished_uploads
  for each row execute function delete_upload_chunks();

-- Of the bytes before encryption, so that a browser can compare the file that it continues with.
alter table upload_chunks add column sha256 bytea;

-- The worker computes it, because only the file store needs it.
alter table uploads alter column sha1 drop not null;
