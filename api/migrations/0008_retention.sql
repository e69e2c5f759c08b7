-- What the hourly sweep looks for, each by its index: nothing that is not due is read.

create index challenges_expires on challenges (expires_at);
create index reset_tokens_expires on reset_tokens (expires_at);
create index sessions_expires on sessions (expires_at);
create index devices_seen on devices (seen_at);
create index uploads_stored on uploads (stored_at) where stored_at is not null;
-- The last sign-up counts: a later one replaces what an earlier one typed.
create index users_unverified on users (coalesce(terms_accepted_at, created_at))
  where email_verified_at is null;

-- What hangs on an account goes with it, and is found by it.
create index crm_outbox_user on crm_outbox (user_id);
create index documents_user on documents (user_id);
create index uploads_user on uploads (user_id);
create index uploads_document on uploads (document_id);
