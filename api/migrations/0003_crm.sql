-- The mirror of the provider's CRM, the outbox of changes for it, and the account's ids in the CRM and the file store.
-- A mirrored row that was deleted in the CRM stays without its content, so that an older version does not restore it.

alter table users
  add column box_folder_id text,
  -- When the account was linked to a contact that the provider already had.
  add column linked_at timestamptz;
create unique index users_salesforce_id on users (salesforce_id);

create table crm_contact (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  portal_user_id text,
  first_name text,
  last_name text,
  email text,
  phone text,
  street text,
  city text,
  state text,
  zip text,
  case_manager_id text,
  box_folder_id text
);
create index crm_contact_email on crm_contact (email) where not deleted;

create table crm_user (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  name text,
  email text,
  phone text
);

-- Dates and times are local to the clinic and have no time zone.
create table crm_appointment (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  contact_id text,
  date date,
  time time(0),
  clinic_name text,
  clinic_phone text,
  scheduled boolean
);
create index crm_appointment_contact on crm_appointment (contact_id, date, time)
  where scheduled and not deleted;

create table crm_document (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  contact_id text,
  portal_document_id text,
  name text,
  type text,
  box_file_id text,
  last_uploaded_at timestamptz
);
create index crm_document_contact on crm_document (contact_id) where not deleted;

create table crm_document_category (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  name text,
  sort integer
);

-- How far the mirror has read. Whoever reads holds the row's lock, so there is one reader a kind.
create table crm_sync_cursor (
  kind text primary key,
  -- The next page holds what changed after this place.
  after_at timestamptz not null default '1970-01-01',
  after_id text not null default '',
  -- The CRM's clock at the start of the pass under way; none between passes.
  pass_as_of timestamptz,
  -- A full pass records each row that it reads in crm_seen. A row that is not in it afterwards was deleted in the CRM.
  full_pass boolean not null default false,
  due_at timestamptz not null default now(),
  completed_at timestamptz,
  failed_at timestamptz,
  failure text,
  counted_at timestamptz,
  counted_there bigint,
  counted_here bigint
);
insert into crm_sync_cursor (kind)
  values ('contact'), ('user'), ('appointment'), ('document'), ('documentCategory');

create table crm_seen (
  kind text not null,
  id text not null,
  primary key (kind, id)
);

-- Changes to send to the CRM. An entry refers to the row that holds the data and contains no personal data itself.
create table crm_outbox (
  number bigint primary key generated always as identity,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('contact', 'contact_request', 'intake', 'document')),
  entity_id uuid not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- When the CRM rejected the entry. The entry then waits for the operator, and so do this veteran's later entries.
  refused_at timestamptz,
  refusal text
);
create index crm_outbox_waiting on crm_outbox (user_id, number) where sent_at is null;
create index crm_outbox_sent on crm_outbox (sent_at) where sent_at is not null;

create table crm_api_usage (
  day date primary key,
  used integer not null,
  allowed integer not null,
  at timestamptz not null default now(),
  -- When calls are scarce, the workers take turns: the next turn is at this time.
  next_turn_at timestamptz not null default now()
);

create table contact_requests (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  method text not null check (method in ('Call', 'Email')),
  requested_at timestamptz not null default now()
);
create index contact_requests_user on contact_requests (user_id, requested_at);
