-- For searches by phone number: the start of it, and any part of it.
create index users_by_phone on users (phone collate "C", id);
create index users_by_part_of_phone on users using gin (phone gin_trgm_ops);

-- For the list of inactive accounts, which are rare among many. Accounts without a contact are found by
-- users_salesforce_id.
create index users_inactive on users (created_at, id) where not is_active;
