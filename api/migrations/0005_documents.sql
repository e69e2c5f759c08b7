-- Documents that veterans hand over through the portal. Their bytes stay here, encrypted, until the file
-- store has them; what was accepted is never only on its way.

create table documents (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  type text not null,
  -- The CRM's row: the request that it answers, or what was made of it there.
  crm_id text,
  -- None until the file store has it.
  box_file_id text,
  size bigint not null,
  sha256 bytea not null,
  uploaded_at timestamptz not null default now(),
  -- Taken away by the provider: its name is free again.
  removed boolean not null default false
);
create unique index documents_name on documents (user_id, lower(name)) where not removed;
create unique index documents_crm on documents (crm_id);
create index documents_box on documents (box_file_id);

-- One handing over: the first file of a document, or a new version.
create table uploads (
  id uuid primary key default uuidv7(),
  document_id uuid not null references documents (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  size bigint not null,
  sha1 bytea not null,
  chunks integer not null,
  received_at timestamptz not null default now(),
  stored_at timestamptz,
  refused_at timestamptz,
  refusal text,
  -- The job whose mail confirms it to the veteran.
  receipt_job uuid
);
create index uploads_waiting on uploads (document_id, id) where stored_at is null;
create index uploads_unconfirmed on uploads (user_id) where receipt_job is null;
create index uploads_receipt on uploads (receipt_job);

create table upload_chunks (
  upload_id uuid not null references uploads (id) on delete cascade,
  number integer not null,
  key_id text not null,
  bytes bytea not null,
  primary key (upload_id, number)
);
-- Encrypted bytes do not compress.
alter table upload_chunks alter column bytes set storage external;
