-- What staff do with accounts: listing and searching them, temporary passwords, undone links.

create extension if not exists pg_trgm;

alter table users
  -- Set for a password that staff chose: it is void from then on, and until then only leads to an own one.
  add column password_expires_at timestamptz,
  -- A contact that was linked by mistake: the account never finds its way back to it by itself.
  add column unlinked_from text;

-- Each sortable column with its index. In the order of bytes, so that the beginnings of names and emails
-- are found by the same ones.
create index users_by_email on users (email collate "C", id);
create index users_by_last_name on users (lower(last_name) collate "C", id);
create index users_by_first_name on users (lower(first_name) collate "C", id);
create index users_by_role on users (role collate "C", id);
create index users_by_created on users (created_at, id);

-- For what stands in the middle of a name or an email.
create index users_search on users
  using gin (lower(first_name || ' ' || last_name || ' ' || email) gin_trgm_ops);
-- How common a piece of text is decides the way to it, so it is known more finely than by default.
alter index users_search alter column 1 set statistics 1000;
