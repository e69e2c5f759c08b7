-- What the veteran said of the address in the intake: an object with only the parts that were said. The contact in the
-- CRM gets it, and the profile shows it until the mirror has read it back.
alter table users add column address jsonb, add column address_said_at timestamptz;

-- A file that was handed in stays in the lists, also if its record is deleted in the CRM. Its name stays taken. Names that
-- were free again meanwhile get a number.
drop index documents_name;
update documents set name = regexp_replace(name, '((\.[^.]*)?)$', ' (' || right(id::text, 8) || ')\1') where removed;
create unique index documents_name on documents (user_id, lower(name));
alter table documents drop column removed;
-- For the status of each document in a list.
create index crm_outbox_entity on crm_outbox (entity_id) where sent_at is null;
