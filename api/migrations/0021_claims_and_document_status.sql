-- Claims of veterans, and what staff say about a document. The previous release ignores all of it.

create table crm_claim (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  contact_id text,
  title text,
  -- The value of the stage in the CRM, and its label there.
  stage text,
  stage_label text,
  stage_since timestamptz,
  -- Why the claim is in this stage.
  stage_reason text,
  next_step text,
  closed boolean,
  -- When the org's claims were last found to be gone; the history of a claim is kept for a while after it.
  hidden_at timestamptz
);
create index crm_claim_contact on crm_claim (contact_id) where not deleted;
create index crm_claim_range on crm_claim (id collate "C") where not deleted;
create index crm_claim_deleted on crm_claim (modified_at) where deleted;

-- The stages that a claim has been in, written when the mirror sees a change.
create table claim_steps (
  claim_id text not null references crm_claim (id) on delete cascade,
  stage text not null,
  stage_label text,
  entered_at timestamptz not null,
  -- From a later stage.
  back boolean not null,
  -- The time of the claim's version that showed this stage first.
  version_at timestamptz,
  primary key (claim_id, entered_at, stage)
);

alter table crm_document
  add column due_date date,
  add column reason text,
  add column status text,
  add column status_reason text,
  -- When the mirror saw this status first, by the CRM's clock.
  add column status_since timestamptz,
  -- Not valid: checking the rows that exist would lock the table while all of it is read. They have no status yet.
  add constraint crm_document_status
    check (status in ('requested', 'received', 'reviewed', 'notUsable')) not valid;

alter table crm_sync_cursor
  -- The fields that are read. Null before the first pass of this release.
  add column fields text[],
  -- The fields have changed, so the comparison reads all rows again.
  add column rereading boolean not null default false,
  -- A kind that was never read lags since then.
  -- Not `created_at`: the previous release joins this table with the accounts and would find the name twice.
  add column added_at timestamptz not null default now();
