-- For searches by phone number: the start of it, and any part of it.
create index users_by_phone on users (phone collate "C", id);
create index users_by_part_of_phone on users using gin (phone gin_trgm_ops);

-- For the lists of inactive accounts and of those without a contact, which are rare among many.
create index users_inactive on users (created_at, id) where not is_active;
create index users_not_linked on users (created_at, id) where salesforce_id is null;
