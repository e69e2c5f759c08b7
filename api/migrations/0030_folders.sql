-- A folder in the file store belongs to one account.
drop index users_box_folder;
create unique index users_box_folder on users (box_folder_id);
alter table users add constraint users_box_folder_id check (box_folder_id ~ '^[1-9][0-9]{0,19}$');

-- What the file store says about a folder that staff or the CRM gave to an account.
create table box_folders (
  user_id uuid not null references users (id) on delete cascade,
  folder_id text not null check (folder_id ~ '^[1-9][0-9]{0,19}$'),
  asked_at timestamptz not null default now(),
  -- Null until a worker has opened it.
  opened_at timestamptz,
  name text,
  parent_name text,
  -- Why no file of the account is stored in it.
  problem text check (problem in ('gone', 'containsOthers', 'taken')),
  primary key (user_id, folder_id)
);
create index box_folders_expiry on box_folders ((coalesce(opened_at, asked_at)));

-- Files that a document of the account names, and that are not in its folder.
create table misplaced_files (
  user_id uuid not null references users (id) on delete cascade,
  file_id text not null check (file_id ~ '^[1-9][0-9]{0,19}$'),
  found_at timestamptz not null default now(),
  primary key (user_id, file_id)
);
create index misplaced_files_found on misplaced_files (found_at);

-- Texts of the CRM that are no ids, so that the metrics need not read all rows.
create index crm_document_no_file_id on crm_document (id)
  where not deleted and box_file_id !~ '^[1-9][0-9]{0,19}$';
create index crm_contact_no_folder_id on crm_contact (id)
  where not deleted and box_folder_id !~ '^[1-9][0-9]{0,19}$';
