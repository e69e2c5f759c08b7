-- First of all migrations of this release, which are one transaction: building an index lets the portal read the table.
-- For the reminders of one day. Both are small: requests without a file, and future or recent appointments.
create index crm_document_due on crm_document (due_date, id)
  where due_date is not null and box_file_id is null and not deleted;
create index crm_appointment_date on crm_appointment (date, id) where scheduled and not deleted;

-- The texts that veterans agreed to, as they were shown. The texts are the provider's, not about a person.
create table consent_texts (
  -- SHA-256 of `shown`.
  hash bytea primary key check (length(hash) = 32),
  title text not null,
  shown text not null
);

-- What an account agreed to. Only the end of a row changes. Accounts from before get theirs at the next sign-in, from
-- the columns of `users` that the release before this one still writes.
create table consents (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  version text not null,
  -- Null for terms that were accepted before their text was recorded.
  text_hash bytea references consent_texts (hash),
  accepted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  -- When a newer text of the same kind was accepted.
  replaced_at timestamptz
);
create unique index consents_current on consents (user_id, kind)
  where withdrawn_at is null and replaced_at is null;
create index consents_user on consents (user_id);
create index consents_ended on consents (coalesce(withdrawn_at, replaced_at))
  where withdrawn_at is not null or replaced_at is not null;
