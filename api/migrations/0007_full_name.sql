-- Staff search by "first last" as it is spoken; a first name alone is the beginning of that too.
create index users_by_full_name on users (lower(first_name || ' ' || last_name) collate "C", id);
