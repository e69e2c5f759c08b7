-- The mirror reads all kinds with one call, and compares itself with the CRM by ranges of ids.
-- No longer used: crm_seen, and the columns full_pass, counted_at, counted_there and counted_here of crm_sync_cursor.
-- The next release drops them.

-- First the indexes: building them lets the portal read the tables, unlike the changes of columns below.

-- The CRM orders ids by their bytes; the primary keys have the order of the database's language.
create index crm_contact_range on crm_contact (id collate "C") where not deleted;
create index crm_appointment_range on crm_appointment (id collate "C") where not deleted;
create index crm_document_range on crm_document (id collate "C") where not deleted;

-- For the rows that were deleted in the CRM, which are few among many.
create index crm_contact_deleted on crm_contact (modified_at) where deleted;
create index crm_appointment_deleted on crm_appointment (modified_at) where deleted;
create index crm_document_deleted on crm_document (modified_at) where deleted;

alter table crm_sync_cursor
  -- Until then one worker reads this kind, without a lock. Its exact value identifies the claim.
  add column claimed_until timestamptz,
  -- When a tick (one call for several kinds) last read this kind.
  add column ticked_at timestamptz,
  -- The comparison continues after this id. Empty at the start of a comparison.
  add column compared_id text not null default '',
  add column compared_step_at timestamptz,
  -- When all rows of the kind were last compared, and the rows repaired since that comparison began.
  add column compared_at timestamptz,
  add column repaired bigint not null default 0;

-- The contact that survived, if this one was merged into it.
alter table crm_contact add column master_id text;
-- For accounts that wait until the mirror has the surviving contact.
create index crm_contact_merged on crm_contact (master_id) where master_id is not null;
