-- Indexes for the hourly sweep, so that it reads only rows that are due.

create index challenges_expires on challenges (expires_at);
create index reset_tokens_expires on reset_tokens (expires_at);
create index sessions_expires on sessions (expires_at);
create index devices_seen on devices (seen_at);
create index uploads_stored on uploads (stored_at) where stored_at is not null;
-- The age counts from the last sign-up with this email, which replaces the data of earlier ones.
create index users_unverified on users (coalesce(terms_accepted_at, created_at))
  where email_verified_at is null;

-- For deleting an account: its rows in other tables are found by its id, or by that of its document.
create index crm_outbox_user on crm_outbox (user_id);
create index documents_user on documents (user_id);
create index uploads_user on uploads (user_id);
create index uploads_document on uploads (document_id);
