-- What an entry is about to write to in the CRM, stored before the call: after a lost answer the repeat knows
-- a contact that the provider had (its id) from one that we were making ('new').
alter table crm_outbox add column target text;
