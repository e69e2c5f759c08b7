-- Accounts that were erased: by the id that the audit log knows them by, so that a restored backup can be
-- brought to the same state, and by the CRM's id, so that the mirror does not fetch them back.
create table erasures (
  user_id uuid primary key,
  contact_id text,
  erased_at timestamptz not null default now()
);
create index erasures_contact on erasures (contact_id);
revoke update, delete on erasures from guidon_app;
