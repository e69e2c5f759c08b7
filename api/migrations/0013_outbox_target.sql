-- The CRM's record that an entry writes to, stored before the call: the id of a contact that existed, or 'new' for one
-- that we create. If the response is lost, the next try can tell the two cases apart.
alter table crm_outbox add column target text;
