-- The schema of Guidon, by subject. Times are the database's, so that all processes agree.

-- === Role and extension ===

-- The role of the processes. It may use the tables, but neither change the schema nor rewrite the audit log.
do $$
begin
  if not exists (select from pg_roles where rolname = 'guidon_app') then
    create role guidon_app nologin;
  end if;
exception
  -- Another database of the same cluster was migrated at the same moment.
  when duplicate_object or unique_violation then null;
end
$$;
grant usage on schema public to guidon_app;
-- The list of migrations, which exists by now.
grant select on all tables in schema public to guidon_app;
alter default privileges in schema public grant select, insert, update, delete on tables to guidon_app;

create extension if not exists pg_trgm;

-- === Accounts and sign-ups ===

create table users (
  id uuid primary key default uuidv7(),
  -- One spelling for a mailbox (`contract/src/account.ts`): else each spelling would have limits of its own.
  email text not null
    constraint users_email_spelling check (email ~ '^[!-?A-~]+@[a-z0-9.-]+$' and email = lower(email)),
  password_hash text not null,
  -- Set for a password that staff chose: until then it only leads to a new one, and afterwards to nothing.
  password_expires_at timestamptz,
  first_name text not null,
  last_name text not null,
  phone text not null check (phone ~ '^\d{10}$'),
  state text not null,
  role text not null check (role in ('USER', 'STAFF', 'ADMIN')),
  is_active boolean not null default true,
  box_folder_id text check (box_folder_id ~ '^[1-9][0-9]{0,19}$'),
  -- What the veteran said of the address in the intake: an object with only the parts that were said. The contact in the CRM
  -- gets it, and the profile shows it until the mirror has read it back.
  address jsonb,
  address_said_at timestamptz,
  -- Whether it has a live or frozen link. For the list of accounts without a contact, which else would search all links.
  has_contact boolean not null default false,
  -- Null for an account that an operator created.
  signed_up_at timestamptz,
  email_verified_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index users_email on users (email);
-- A folder in the file store belongs to one account.
create unique index users_box_folder on users (box_folder_id);

-- For Manage Users: each sortable column. In the order of bytes, so that one index also finds the beginnings of texts.
create index users_by_email on users (email collate "C", id);
create index users_by_last_name on users (lower(last_name) collate "C", id);
create index users_by_first_name on users (lower(first_name) collate "C", id);
-- Staff search "first last". A first name alone is the beginning of that.
create index users_by_full_name on users (lower(first_name || ' ' || last_name) collate "C", id);
create index users_by_phone on users (phone collate "C", id);
create index users_by_role on users (role collate "C", id);
create index users_by_created on users (created_at, id);
-- For lists of accounts that are rare among many.
create index users_inactive on users (created_at, id) where not is_active;
create index users_without_contact on users (created_at, id) where not has_contact;
-- For text in the middle of a name, an email or a phone number.
create index users_search on users
  using gin (lower(first_name || ' ' || last_name || ' ' || email) gin_trgm_ops);
-- The planner chooses by how common the text is, so it needs finer statistics than by default.
alter index users_search alter column 1 set statistics 1000;
create index users_by_part_of_phone on users using gin (phone gin_trgm_ops);

-- A sign-up is not an account until its email is verified. Each registration is a row of its own with its own challenge, so
-- that none can replace or end another's.
create table sign_ups (
  id uuid primary key default uuidv7(),
  email text not null
    constraint sign_ups_email_spelling check (email ~ '^[!-?A-~]+@[a-z0-9.-]+$' and email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text not null check (phone ~ '^\d{10}$'),
  state text not null,
  -- What the person accepted: the texts as they were shown.
  consents jsonb not null,
  created_at timestamptz not null default now()
);
create index sign_ups_email on sign_ups (email);
create index sign_ups_created on sign_ups (created_at);

-- === Sign-ins and sessions ===

-- Codes and tokens are stored only as keyed hashes.

-- A sign-in or a sign-up between its password and its code. Who has the token may try codes.
create table challenges (
  id uuid primary key default uuidv7(),
  token_hash bytea not null,
  user_id uuid references users (id) on delete cascade,
  sign_up_id uuid references sign_ups (id) on delete cascade,
  purpose text not null check (purpose in ('login', 'email')),
  -- A sign-up with a taken email gets a challenge that no code solves, so that its response reveals nothing.
  decoy boolean not null default false,
  -- Codes requested so far.
  sends integer not null default 1,
  sent_at timestamptz not null default now(),
  code_hash bytea,
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint challenges_owner check (num_nonnulls(user_id, sign_up_id) = 1)
) partition by range (id);
create index challenges_user on challenges (user_id, created_at);
create index challenges_sign_up on challenges (sign_up_id) where sign_up_id is not null;

create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  idle_limit interval not null,
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Decided at the sign-in, so that a changed text never interrupts a session.
  consents_due boolean not null default false,
  -- Emails came back before the sign-in, which needs an email.
  email_came_back boolean not null default false,
  created_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_expires on sessions (expires_at);

-- Each row is an access token and the refresh token that was issued with it. A refresh token is valid until it is retired,
-- and its first use retires all others of the session. So its parent stays valid while a response may have been lost, and
-- an older one shows that it was stolen.
create table session_tokens (
  id uuid primary key default uuidv7(),
  session_id uuid not null references sessions (id) on delete cascade,
  access_hash bytea not null,
  access_expires_at timestamptz not null,
  refresh_hash bytea not null,
  used_at timestamptz,
  retired_at timestamptz
) partition by range (id);
create index session_tokens_session on session_tokens (session_id);

create table reset_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index reset_tokens_user on reset_tokens (user_id);
create index reset_tokens_expires on reset_tokens (expires_at);

-- Known devices: browsers that have signed in to the account.
create table devices (
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index devices_seen on devices (seen_at);

-- Counters under a keyed hash of what is limited, so that unknown emails are counted like known ones.
create table limits (
  key bytea primary key,
  -- A keyed hash of the email that the counter is about, so that a reset or the operator can clear its counters.
  subject bytea,
  count integer not null,
  resets_at timestamptz not null,
  blocked_until timestamptz not null default '-infinity'
);
create index limits_resets on limits (resets_at);
create index limits_subject on limits (subject) where subject is not null;

-- === Emails ===

-- Emails that a relay has accepted, by the id of their job: a job that runs twice sends one email.
create table sent_mails (
  job_id uuid primary key,
  sent_at timestamptz not null default now()
);
create index sent_mails_sent on sent_mails (sent_at);

-- One row for each email to an account, also for codes and receipts. It has no text.
create table deliveries (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  channel text not null default 'email' check (channel = 'email'),
  -- What it was about.
  kinds text[] not null,
  state text not null check (state in ('queued', 'sent', 'delivered', 'failed')),
  queued_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- Why it failed, as a status code.
  result text
);
create index deliveries_user on deliveries (user_id, queued_at);
-- Whether the account can be reached, which is read with each page.
create index deliveries_reported on deliveries (user_id, state, changed_at)
  where state in ('delivered', 'failed');
create index deliveries_queued_at on deliveries (queued_at);

-- === Audit log ===

-- Events are ordered by the numbers that the cluster gives its transactions. A copy of the database may come to a cluster
-- that has not counted so far, such as a dump that was restored there: its events are numbered on from the highest that came
-- with it.
create table audit_epoch (
  single boolean primary key default true check (single),
  ahead bigint not null
);
insert into audit_epoch (ahead) values (0);
revoke insert, update, delete on audit_epoch from guidon_app;

create function audit_number(counted xid8) returns xid8
language sql stable
as $$ select (counted::text::bigint + ahead)::text::xid8 from public.audit_epoch $$;

-- Append-only. The transaction's number lets the worker seal rows in a final order: below the oldest transaction that still
-- runs, no further row can appear. So a writer waits for nobody.
create table audit_events (
  transaction xid8 not null default audit_number(pg_current_xact_id()),
  id uuid not null default uuidv7(),
  at timestamptz not null default clock_timestamp(),
  event text not null,
  actor_id uuid,
  subject_id uuid,
  -- Words and numbers about the event, never about a person.
  details jsonb not null default '{}'
) partition by range (at);
-- Finds what staff did in the last hour, for the gauge guidon_staff_actions (staff-actions.ts).
create index audit_events_staff on audit_events (at) where event in (
  'documents_viewed', 'document_viewed', 'progress_viewed', 'deliveries_viewed', 'users_listed',
  'account_linked', 'account_unlinked', 'link_confirmed', 'link_refused', 'link_frozen',
  'password_set_by_staff');
-- Number, id and time of an event come from the database.
revoke all on audit_events from guidon_app;
grant select, insert (event, actor_id, subject_id, details) on audit_events to guidon_app;

-- Each seal covers the events after the previous seal, and its hash contains that one's hash.
create table audit_seals (
  number integer primary key,
  until_transaction xid8 not null,
  until_id uuid not null,
  events integer not null,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);
revoke update, delete on audit_seals from guidon_app;

-- Stores a seal only if it is the hash of the stored events, whoever inserts it. The text of an event and the hash over them
-- are those of features/audit/chain.ts.
create function check_audit_seal() returns trigger
language plpgsql
-- Fixed, and every name below is qualified: a temporary table of the caller cannot stand in for the log.
set search_path = pg_catalog, pg_temp
as $$
declare
  last public.audit_seals;
  -- Below it no event can appear any more.
  settled xid8 := public.audit_number(pg_snapshot_xmin(pg_current_snapshot()));
  covered bigint;
  ends boolean;
  expected bytea;
begin
  select * into last from public.audit_seals order by number desc limit 1;
  if (new.number = coalesce(last.number, 0) + 1) is not true then
    raise exception 'audit seal %: does not follow the one before it', new.number
      using errcode = 'check_violation';
  end if;
  if (new.events between 1 and 10000) is not true then
    raise exception 'audit seal %: covers no events, or too many', new.number
      using errcode = 'check_violation';
  end if;
  if (new.until_transaction < settled) is not true then
    raise exception 'audit seal %: reaches beyond what has settled', new.number
      using errcode = 'check_violation';
  end if;
  select count(*), bool_or(transaction = new.until_transaction and id = new.until_id),
    sha256(coalesce(last.hash, decode(repeat('00', 32), 'hex'))
      || string_agg(sha256(convert_to(text, 'UTF8')), ''::bytea order by transaction, id))
  into covered, ends, expected
  from (
    select transaction, id,
      jsonb_build_array(transaction::text, id, extract(epoch from at), event, actor_id, subject_id, details)::text as text
    from public.audit_events
    where (transaction, id) > (coalesce(last.until_transaction, '0'::xid8),
        coalesce(last.until_id, '00000000-0000-0000-0000-000000000000'::uuid))
      and (transaction, id) <= (new.until_transaction, new.until_id)
    order by transaction, id limit new.events + 1) as events;
  if (covered = new.events and ends and expected = new.hash) is not true then
    raise exception 'audit seal %: is not the hash of the events it covers', new.number
      using errcode = 'check_violation';
  end if;
  new.sealed_at := now();
  return new;
end
$$;
create trigger audit_seals_check before insert on audit_seals
  for each row execute function check_audit_seal();

-- Which months of the log were written to a file and dropped. The chain is verified from the end of the newest one.
create table audit_archives (
  -- The month, such as 202611. It also has all events of the partition that are older.
  month text primary key check (month ~ '^\d{6}$'),
  -- The file has all events of the seals after those of the archive before it, up to this one.
  until_seal integer not null,
  until_transaction xid8 not null,
  until_id uuid not null,
  -- Of the seal.
  hash bytea not null,
  events bigint not null,
  -- The last seals also cover events of the next months, which are in the log still. This is the hash of these events.
  left_hash bytea not null,
  file_sha256 bytea not null,
  archived_at timestamptz not null default now()
);
revoke insert, update, delete on audit_archives from guidon_app;

-- Where an event came from. Not in the log, which is never changed: these rows are deleted after 90 days, or with the
-- account.
create table audit_sources (
  transaction xid8 not null,
  id uuid not null,
  -- The account that was signed in; without a session, the account that was tried.
  user_id uuid,
  -- An IPv4 address without its last byte, or the first six bytes of an IPv6 address.
  network cidr,
  -- A keyed hash of the address (IPv6: of its /64), to find what came from the same one.
  address bytea not null,
  at timestamptz not null default now(),
  primary key (transaction, id)
);
create index audit_sources_at on audit_sources (at);
create index audit_sources_user on audit_sources (user_id) where user_id is not null;
create index audit_sources_address on audit_sources (address, at);

-- Tries that a limit refused. The first of a kind is an event; the following are counted here, and become one event when
-- their window has ended.
create table blocked_tries (
  id uuid primary key default uuidv7(),
  event text not null,
  actor_id uuid,
  subject_id uuid,
  details jsonb not null,
  network cidr,
  address bytea,
  count integer not null default 1,
  started_at timestamptz not null default now()
);
create unique index blocked_tries_kind on blocked_tries (event, actor_id, subject_id, details, address)
  nulls not distinct;
create index blocked_tries_started on blocked_tries (started_at);

-- Erased accounts: the id that the audit log has of them, so that a restored backup can be brought to the same state, and
-- the CRM's id, so that the mirror does not read the contact again.
create table erasures (
  user_id uuid primary key,
  contact_id text,
  erased_at timestamptz not null default now()
);
create index erasures_contact on erasures (contact_id);
revoke update, delete on erasures from guidon_app;

-- === Mirror of the CRM ===

-- A row that was deleted in the CRM stays without its content, so that an older version does not restore it.

create table crm_contact (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  portal_user_id text,
  first_name text,
  last_name text,
  email text,
  phone text,
  street text,
  city text,
  state text,
  zip text,
  case_manager_id text,
  box_folder_id text,
  -- Null if the org does not say.
  deceased boolean,
  -- The contact that survived, if this one was merged into it.
  master_id text
);
create index crm_contact_email on crm_contact (email) where not deleted;
-- Whether a folder is somebody else's is looked up when staff change one.
create index crm_contact_box_folder on crm_contact using hash (box_folder_id);
-- Texts that are no ids, so that the metrics need not read all rows.
create index crm_contact_no_folder_id on crm_contact (id)
  where not deleted and box_folder_id !~ '^[1-9][0-9]{0,19}$';
-- For accounts that wait until the mirror has the surviving contact.
create index crm_contact_merged on crm_contact (master_id) where master_id is not null;

create table crm_user (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  name text,
  email text,
  phone text
);

-- Dates and times are local to the clinic and have no time zone.
create table crm_appointment (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  contact_id text,
  -- The contact under which a record is shown. It differs from `contact_id` while staff are asked whether a record that
  -- came from another contact is shown; 'hidden' if it is shown to nobody meanwhile.
  shown_contact_id text,
  date date,
  time time(0),
  clinic_name text,
  clinic_phone text,
  scheduled boolean
);
create index crm_appointment_shown on crm_appointment (shown_contact_id, date, time) where scheduled and not deleted;
-- For the reminders of one day.
create index crm_appointment_date on crm_appointment (date, id) where scheduled and not deleted;

create table crm_document (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  contact_id text,
  shown_contact_id text,
  portal_document_id text,
  name text,
  type text,
  box_file_id text,
  last_uploaded_at timestamptz,
  due_date date,
  reason text,
  status text check (status in ('requested', 'received', 'reviewed', 'notUsable')),
  status_reason text,
  -- When the mirror saw this status first, by the CRM's clock.
  status_since timestamptz
);
create index crm_document_shown on crm_document (shown_contact_id) where not deleted;
-- For the reminders of one day.
create index crm_document_due on crm_document (due_date, id)
  where due_date is not null and box_file_id is null and not deleted;

create table crm_document_category (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  name text,
  sort integer
);

create table crm_claim (
  id text primary key,
  modified_at timestamptz not null,
  deleted boolean not null,
  contact_id text,
  shown_contact_id text,
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
create index crm_claim_shown on crm_claim (shown_contact_id) where not deleted;

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

-- For erasures and for records that staff move.
create index crm_appointment_contact on crm_appointment (contact_id);
create index crm_document_contact on crm_document (contact_id);
create index crm_claim_contact on crm_claim (contact_id);
create index crm_appointment_moved on crm_appointment (contact_id)
  where not deleted and contact_id is distinct from shown_contact_id;
create index crm_document_moved on crm_document (contact_id)
  where not deleted and contact_id is distinct from shown_contact_id;
create index crm_claim_moved on crm_claim (contact_id)
  where not deleted and contact_id is distinct from shown_contact_id;

-- For the comparison with the CRM by ranges of ids. The CRM orders ids by their bytes; the primary keys have the order of
-- the database's language.
create index crm_contact_range on crm_contact (id collate "C") where not deleted;
create index crm_appointment_range on crm_appointment (id collate "C") where not deleted;
create index crm_document_range on crm_document (id collate "C") where not deleted;
create index crm_claim_range on crm_claim (id collate "C") where not deleted;

-- For the rows that were deleted in the CRM, which are few among many.
create index crm_contact_deleted on crm_contact (modified_at) where deleted;
create index crm_appointment_deleted on crm_appointment (modified_at) where deleted;
create index crm_document_deleted on crm_document (modified_at) where deleted;
create index crm_document_no_file_id on crm_document (id)
  where not deleted and box_file_id !~ '^[1-9][0-9]{0,19}$';
create index crm_claim_deleted on crm_claim (modified_at) where deleted;

-- How far the mirror has read each kind.
create table crm_sync_cursor (
  kind text primary key,
  -- The fields that are read. Null before the first pass.
  fields text[],
  -- The next page has what changed after this position.
  after_at timestamptz not null default '1970-01-01',
  after_id text not null default '',
  -- The CRM's clock at the start of the current pass; null between passes.
  pass_as_of timestamptz,
  due_at timestamptz not null default now(),
  -- Until then one worker reads this kind, without a lock. Its exact value identifies the claim.
  claimed_until timestamptz,
  -- When a tick (one call for several kinds) last read this kind.
  ticked_at timestamptz,
  completed_at timestamptz,
  failed_at timestamptz,
  failure text,
  -- The comparison continues after this id. Empty at the start of a comparison.
  compared_id text not null default '',
  compared_step_at timestamptz,
  -- When all rows of the kind were last compared, and the rows repaired since that comparison began.
  compared_at timestamptz,
  repaired bigint not null default 0,
  -- The fields have changed, so the comparison reads all rows again.
  rereading boolean not null default false,
  -- A kind that was never read lags since then.
  added_at timestamptz not null default now()
);
insert into crm_sync_cursor (kind)
  values ('contact'), ('user'), ('appointment'), ('document'), ('documentCategory');

-- Whether the CRM has what the portal uses, as the last check found it.
create table crm_check (
  only_row boolean primary key default true check (only_row),
  state text not null check (state in ('fits', 'unreachable', 'stopped')),
  -- Why the state is not 'fits'.
  problems text[] not null,
  -- Optional objects and fields that the CRM lacks; the portal works without them.
  missing text[] not null,
  since timestamptz not null default now(),
  checked_at timestamptz not null default now()
);

create table crm_api_usage (
  day date primary key,
  used integer not null,
  allowed integer not null,
  at timestamptz not null default now()
);

create table crm_calls (
  day date not null,
  purpose text not null,
  calls integer not null,
  at timestamptz not null default now(),
  primary key (day, purpose)
);

-- === Links between accounts and contacts of the CRM ===

-- An account sees records of the CRM only through its live link.
create table links (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  contact_id text not null,
  -- signUp: the verified email and the name or phone matched. portal: the portal made the contact for the account.
  -- staff: entered by staff. merge: the contact of the account was merged into this one.
  origin text not null check (origin in ('signUp', 'portal', 'staff', 'merge')),
  -- frozen: the owner said "this was not me". The account keeps the contact, and sees nothing of it.
  state text not null check (state in ('waiting', 'live', 'frozen', 'ended')),
  -- What staff are asked, and since when. A live link can have a question, too.
  question text check (question in ('differs', 'severalMatch', 'hadOtherAccount', 'otherContact', 'merged', 'moved',
    'contactGone', 'notMe', 'ruleChanged')),
  asked_at timestamptz,
  -- Whose records came to this contact, by a merge or because staff moved them.
  from_contact_id text,
  created_at timestamptz not null default now(),
  -- Since when the account sees the contact's records.
  live_at timestamptz,
  -- Staff who answered the last question, what, when and why.
  decided_by uuid references users (id) on delete set null,
  decision text check (decision in ('confirmed', 'refused')),
  decided_at timestamptz,
  decision_reason text,
  ended_at timestamptz,
  check ((state = 'ended') = (ended_at is not null)),
  check ((state in ('waiting', 'frozen')) <= (question is not null)),
  check (state <> 'ended' or question is null),
  check ((question is null) = (asked_at is null)),
  check (state not in ('live', 'frozen') or live_at is not null)
);
-- One contact for an account, and one account for a contact.
create unique index links_user on links (user_id) where state in ('live', 'frozen');
create unique index links_contact on links (contact_id) where state in ('live', 'frozen');
create unique index links_waiting on links (user_id, contact_id) where state = 'waiting';
create index links_of_user on links (user_id);
create index links_of_contact on links (contact_id);
create index links_asked on links (asked_at, id) where question is not null;
create index links_decided_by on links (decided_by) where decided_by is not null;

create function set_has_contact() returns trigger language plpgsql as $$
declare
  account uuid := coalesce(new.user_id, old.user_id);
begin
  update users set has_contact = not has_contact
    where id = account and has_contact <> exists (
      select from links where user_id = account and state in ('live', 'frozen'));
  return null;
end $$;
create trigger links_has_contact after insert or delete or update of state on links
  for each row execute function set_has_contact();

-- A new record is shown with its contact at once, unless staff are asked whose contact it is: then it shows only what it
-- showed before. A record that moves later is shown where it was until the worker settles the move.
create function set_shown_contact() returns trigger language plpgsql as $$
begin
  if not exists (select from links where contact_id = new.contact_id and state in ('live', 'frozen')
    and question in ('merged', 'moved', 'notMe'))
  then new.shown_contact_id := new.contact_id;
  else new.shown_contact_id := 'hidden';
  end if;
  return new;
end $$;
create trigger crm_appointment_shown before insert on crm_appointment
  for each row execute function set_shown_contact();
create trigger crm_document_shown before insert on crm_document
  for each row execute function set_shown_contact();
create trigger crm_claim_shown before insert on crm_claim
  for each row execute function set_shown_contact();

-- What an account may see of the CRM. Every query that shows records to an account reads from these views.
create view case_contact as
  select l.user_id, c.* from links l join crm_contact c on c.id = l.contact_id
  where l.state = 'live' and not c.deleted;
create view case_appointment as
  select l.user_id, a.* from links l join crm_appointment a on a.shown_contact_id = l.contact_id
  where l.state = 'live' and not a.deleted;
create view case_document as
  select l.user_id, d.* from links l join crm_document d on d.shown_contact_id = l.contact_id
  where l.state = 'live' and not d.deleted;
create view case_claim as
  select l.user_id, c.* from links l join crm_claim c on c.shown_contact_id = l.contact_id
  where l.state = 'live' and not c.deleted;

-- === Outbox of changes for the CRM ===

-- An entry refers to the row that has the data and contains no personal data itself. The table is its own queue: a worker
-- claims entries for a while, calls the CRM without holding a database connection, and records the result if the claim is
-- still its own. An entry takes two steps: a search for its target in the CRM, then the write.
create table crm_outbox (
  number bigint primary key generated always as identity,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('contact', 'contact_request', 'intake', 'document')),
  entity_id uuid not null,
  created_at timestamptz not null default now(),
  claim uuid,
  claimed_until timestamptz,
  -- The CRM's record that the entry writes to, stored before the call: the id of a contact that existed, or 'new' for one
  -- that we create. If the response is lost, the next try can tell the two cases apart.
  target text,
  -- When the target was searched. Cleared when the entry is claimed for the write, so that after a lost response the
  -- CRM is searched again.
  searched_at timestamptz,
  -- Temporary failures since the last step that succeeded, and when the next try is due.
  tries integer not null default 0,
  retry_at timestamptz,
  sent_at timestamptz,
  -- When the CRM rejected the entry. The entry then waits for the operator, and so do this veteran's later entries.
  refused_at timestamptz,
  refusal text
);
create index crm_outbox_waiting on crm_outbox (user_id, number) where sent_at is null;
create index crm_outbox_claimable on crm_outbox (number) where sent_at is null and refused_at is null;
create index crm_outbox_sent on crm_outbox (sent_at) where sent_at is not null;
create index crm_outbox_user on crm_outbox (user_id);
-- For the status of each document in a list.
create index crm_outbox_entity on crm_outbox (entity_id) where sent_at is null;

-- The pace of all workers together. The one row is locked while a round is claimed.
create table crm_sender (
  single boolean primary key default true check (single),
  next_round_at timestamptz not null default now(),
  -- Rounds in a row that failed as a whole.
  failures integer not null default 0
);
insert into crm_sender default values;

-- === Documents and uploads ===

-- The bytes of a file stay here, encrypted, until the file store has them.

create table documents (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  type text not null,
  -- What the veteran wrote about the file.
  note text,
  -- The CRM's row: the request that it answers, or the one that was made for it there.
  crm_id text,
  -- The name of the request that it answers. It is kept here, because in the CRM the file's name overwrites it.
  request_name text,
  -- Null until the file store has it.
  box_file_id text,
  size bigint not null,
  sha256 bytea not null,
  -- SHA-256 of the file as it was received, if camera data was removed from it. `sha256` is that of the stored file.
  received_sha256 bytea,
  -- Forms with scripts are accepted as they are; staff, who open them, are told.
  has_scripts boolean not null default false,
  uploaded_at timestamptz not null default now(),
  -- A worker claims a document before it sends it to the file store, and renews the claim while the transfer runs. The claim
  -- of a worker that died expires.
  claimed_by uuid,
  claimed_until timestamptz
);
create unique index documents_name on documents (user_id, lower(name));
create unique index documents_crm on documents (crm_id);
create index documents_box on documents (box_file_id);
create index documents_user on documents (user_id);

-- One transfer to the file store: the first file of a document, or a new version.
create table uploads (
  id uuid primary key default uuidv7(),
  document_id uuid not null references documents (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  size bigint not null,
  -- The worker computes it, because only the file store needs it.
  sha1 bytea,
  received_at timestamptz not null default now(),
  stored_at timestamptz,
  refused_at timestamptz,
  refusal text,
  -- The job whose email confirms it to the veteran.
  receipt_job uuid
);
create index uploads_waiting on uploads (document_id, id) where stored_at is null;
create index uploads_stored on uploads (stored_at) where stored_at is not null;
create index uploads_unconfirmed on uploads (user_id) where receipt_job is null;
create index uploads_receipt on uploads (receipt_job);
create index uploads_user on uploads (user_id);
create index uploads_document on uploads (document_id);

-- Uploads whose bytes are still arriving. Their chunks are stored meanwhile, under the id that the upload keeps.
create table unfinished_uploads (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  -- Null for an upload in one request, which cannot be continued.
  name text,
  -- The other fields of the form.
  fields jsonb not null default '{}',
  size bigint not null,
  received bigint not null default 0,
  expires_at timestamptz not null,
  -- What it has become. The row stays until it expires, for a client that did not receive the response.
  document_id uuid references documents (id) on delete cascade,
  -- Why the file was refused: status, code and message. The row stays for the same reason, without its chunks.
  refusal jsonb
);
create index unfinished_uploads_user on unfinished_uploads (user_id);
create index unfinished_uploads_expires on unfinished_uploads (expires_at);
-- For the limit of what is unfinished in total.
create index unfinished_uploads_open on unfinished_uploads (size)
  where document_id is null and refusal is null;
create index unfinished_uploads_document on unfinished_uploads (document_id)
  where document_id is not null;

-- A chunk belongs to a row of either table, so triggers delete it instead of a foreign key.
create table upload_chunks (
  upload_id uuid not null,
  -- A chunk begins where the one before ends, and is never written again.
  start integer not null,
  key_id text not null,
  -- Encrypted bytes do not compress.
  bytes bytea storage external not null,
  -- Of the bytes before encryption, so that a browser can compare the file that it continues with.
  sha256 bytea,
  primary key (upload_id, start)
);

create function delete_upload_chunks() returns trigger language plpgsql as $$
begin
  delete from upload_chunks
  where upload_id = old.id and not exists (select from uploads where id = old.id);
  return null;
end
$$;
create trigger uploads_delete_chunks after delete on uploads
  for each row execute function delete_upload_chunks();
create trigger unfinished_uploads_delete_chunks after delete on unfinished_uploads
  for each row execute function delete_upload_chunks();

-- A hand-off of one upload to a phone. An account has at most one: a new one replaces it.
create table hand_offs (
  user_id uuid primary key references users (id) on delete cascade,
  id uuid not null default uuidv7(),
  -- Of the computer. Its log out ends the hand-off.
  session_id uuid not null references sessions (id) on delete cascade,
  -- The code on the computer, and the cookie of the phone that opened it first, as keyed hashes.
  token_hash bytea not null,
  phone_hash bytea,
  document_type text not null,
  -- The requested document that the file is for, and its name.
  request_id text,
  request_name text,
  pages integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- While a file is being received.
  sending_since timestamptz,
  arrived_at timestamptz,
  document_id uuid references documents (id) on delete set null,
  -- SHA-256 of the file as it was received, to recognize the same file again.
  received_sha256 bytea,
  -- How many files the phone has started to send.
  tries integer not null default 0
);
create unique index hand_offs_token on hand_offs (token_hash);
create unique index hand_offs_phone on hand_offs (phone_hash);
create index hand_offs_session on hand_offs (session_id);
create index hand_offs_document on hand_offs (document_id) where document_id is not null;
create index hand_offs_expires on hand_offs (expires_at);

-- What the file store says about a folder that staff or the CRM gave to an account.
create table box_folders (
  user_id uuid not null references users (id) on delete cascade,
  folder_id text not null check (folder_id ~ '^[1-9][0-9]{0,19}$'),
  asked_at timestamptz not null default now(),
  -- Null until a worker has opened it.
  opened_at timestamptz,
  name text,
  parent_name text,
  -- Why no file of the account is stored in it.
  problem text check (problem in ('gone', 'containsOthers', 'taken')),
  primary key (user_id, folder_id)
);
create index box_folders_expiry on box_folders ((coalesce(opened_at, asked_at)));

-- Files that a document of the account names, and that are not in its folder.
create table misplaced_files (
  user_id uuid not null references users (id) on delete cascade,
  file_id text not null check (file_id ~ '^[1-9][0-9]{0,19}$'),
  found_at timestamptz not null default now(),
  primary key (user_id, file_id)
);
create index misplaced_files_found on misplaced_files (found_at);

-- === Intake and contact requests ===

-- One row for each veteran: first a draft, then what was sent.
create table intakes (
  id uuid primary key default uuidv7(),
  user_id uuid not null unique references users (id) on delete cascade,
  -- The answers and their edits, encrypted; bound to the user.
  key_id text not null,
  sealed bytea not null,
  step text not null,
  -- Of the answers' format, so that a later release can still read them.
  version integer not null,
  revision integer not null default 1,
  saved_at timestamptz not null default now(),
  submitted_at timestamptz
);
-- For the operator who retires a key.
create index intakes_key on intakes (key_id);

create table contact_requests (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  method text not null check (method in ('Call', 'Email')),
  requested_at timestamptz not null default now()
);
create index contact_requests_user on contact_requests (user_id, requested_at);

-- === Consents ===

-- The texts that veterans agreed to, as they were shown. The texts are the provider's, not about a person.
create table consent_texts (
  -- SHA-256 of `shown`.
  hash bytea primary key check (length(hash) = 32),
  title text not null,
  shown text not null
);

-- What an account agreed to. Only the end of a row changes.
create table consents (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  version text not null,
  text_hash bytea not null references consent_texts (hash),
  accepted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  -- When a newer text of the same kind was accepted.
  replaced_at timestamptz
);
create unique index consents_current on consents (user_id, kind)
  where withdrawn_at is null and replaced_at is null;
create index consents_user on consents (user_id);
create index consents_ended on consents (coalesce(withdrawn_at, replaced_at))
  where withdrawn_at is not null or replaced_at is not null;

-- === Notices ===

-- Emails about a veteran's case: what is due, what was sent, and what the veteran turned off.

create table notices (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users (id) on delete cascade,
  event text not null,
  -- The row of the CRM that it is about; for the intake, the account.
  subject_id text not null,
  subject_version text not null,
  -- What the veteran knew of the subject before, and what the notice says. Ids and dates, no names.
  before jsonb,
  after jsonb,
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- The email that it is part of.
  delivery_id uuid references deliveries (id) on delete set null,
  -- When the email was last given to the relay.
  sending_at timestamptz,
  sent_at timestamptz,
  -- When its cause was gone, or the veteran had turned it off.
  void_at timestamptz,
  unique (user_id, event, subject_id, subject_version)
);
create index notices_due on notices (due_at)
  where delivery_id is null and sent_at is null and void_at is null;
create index notices_open on notices (subject_id) where sent_at is null and void_at is null;
create index notices_delivery on notices (delivery_id) where delivery_id is not null;
create index notices_created on notices (created_at);

create table notice_preferences (
  user_id uuid primary key references users (id) on delete cascade,
  -- The kinds that are turned off. An account without a row gets all of them.
  off text[] not null,
  changed_at timestamptz not null default now()
);

-- === Partitions ===

-- Of the tables that only grow: the audit log by month, tokens and challenges by day. Old days are dropped, which takes no
-- time, instead of deleted row by row.

-- Its own schema, in which the role of the processes has no rights: it reads and writes the parents only.
create schema partitions;

-- The lowest id that uuidv7() makes on a day. Rows of tokens and challenges belong to the day of their id.
create function partitions.first_id(day date) returns uuid
language sql immutable
set search_path = pg_catalog, pg_temp
as $$ select (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid $$;

-- The indexes that a parent cannot have, because they do not contain its partition key.
create function partitions.add_indexes(parent text, name text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  case parent
    when 'audit_events' then
      execute format('alter table partitions.%I add primary key (transaction, id)', name);
      execute format('create index on partitions.%I (subject_id, at)', name);
    when 'challenges' then
      execute format('create unique index on partitions.%I (token_hash)', name);
    when 'session_tokens' then
      execute format('create unique index on partitions.%I (access_hash)', name);
      execute format('create unique index on partitions.%I (refresh_hash)', name);
  end case;
end
$$;

-- For rows whose partition does not exist.
create table partitions.audit_events_default partition of audit_events default;
create table partitions.challenges_default partition of challenges default;
create table partitions.session_tokens_default partition of session_tokens default;
select partitions.add_indexes('audit_events', 'audit_events_default');
select partitions.add_indexes('challenges', 'challenges_default');
select partitions.add_indexes('session_tokens', 'session_tokens_default');

-- Creates one partition that is missing, of this month and the next three, or of today and the next three days. Returns its
-- name, or null if none is missing. Rows that are in the default partition meanwhile are moved to it. The processes call it
-- with the rights of the owner, so it takes no parameters.
create function make_partition() returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
-- As for migrations: an attempt that waits for a lock lets other statements through.
set lock_timeout = '500ms'
as $$
declare
  wanted record;
  default_name text;
  -- Not now(): the transaction may have begun the day before.
  today date := clock_timestamp()::date;
begin
  perform pg_advisory_xact_lock(hashtext('guidon.partitions'));
  select * into wanted
  from (
    select 'audit_events' as parent, 'audit_events_' || to_char(month, 'YYYYMM') as name, 'at' as key,
      month::text as low, (month + interval '1 month')::text as high
    from generate_series(0, 3) as ahead,
      lateral (select date_trunc('month', today::timestamptz) + make_interval(months => ahead) as month) as months
    union all
    select parent, parent || to_char(day, '_YYYYMMDD'), 'id', partitions.first_id(day)::text,
      partitions.first_id(day + 1)::text
    from unnest(array['challenges', 'session_tokens']) as parent, generate_series(0, 3) as ahead,
      lateral (select today + ahead as day) as days) as planned
  where to_regclass(format('partitions.%I', name)) is null
  order by name limit 1;
  if not found then
    return null;
  end if;
  default_name := wanted.parent || '_default';
  execute format('create table partitions.%I (like public.%I including all)', wanted.name, wanted.parent);
  perform partitions.add_indexes(wanted.parent, wanted.name);
  -- In the order in which an insert locks them.
  execute format('lock table public.%I in share update exclusive mode', wanted.parent);
  execute format('lock table partitions.%I in access exclusive mode', default_name);
  execute format('with moved as (delete from partitions.%1$I where %2$I >= %3$L and %2$I < %4$L returning *)
    insert into partitions.%5$I select * from moved',
    default_name, wanted.key, wanted.low, wanted.high, wanted.name);
  execute format('alter table public.%I attach partition partitions.%I for values from (%L) to (%L)',
    wanted.parent, wanted.name, wanted.low, wanted.high);
  return wanted.name;
end
$$;
revoke execute on function make_partition() from public;
grant execute on function make_partition() to guidon_app;

-- Drops one partition of tokens or challenges whose day has been over for 25 hours. By then every row has been expired for
-- some time: a session lasts at most 12 hours, a challenge 40 minutes. Returns its name, or null if there is none.
create function drop_expired_partition() returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set lock_timeout = '500ms'
as $$
declare
  expired name;
  today date := clock_timestamp()::date;
begin
  perform pg_advisory_xact_lock(hashtext('guidon.partitions'));
  delete from partitions.challenges_default where id < partitions.first_id(today - 2);
  delete from partitions.session_tokens_default where id < partitions.first_id(today - 2);
  select relname into expired from pg_class
  where relnamespace = 'partitions'::regnamespace and relkind = 'r'
    and relname ~ '^(challenges|session_tokens)_\d{8}$'
    and to_date(right(relname, 8), 'YYYYMMDD') + 1 < now() - interval '25 hours'
  order by relname limit 1;
  if expired is not null then
    execute format('drop table partitions.%I', expired);
  end if;
  return expired;
end
$$;
revoke execute on function drop_expired_partition() from public;
grant execute on function drop_expired_partition() to guidon_app;

-- Until when each table has partitions, and whether rows had to go to the default partition.
create function partition_state() returns table (parent text, until timestamptz, has_default_rows boolean)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $$
begin
  return query
    select 'audit_events', max(to_date(right(relname, 6), 'YYYYMM') + interval '1 month')::timestamptz,
      exists (select from partitions.audit_events_default)
    from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^audit_events_\d{6}$'
    union all
    select 'challenges', max(to_date(right(relname, 8), 'YYYYMMDD') + 1)::timestamptz,
      exists (select from partitions.challenges_default)
    from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^challenges_\d{8}$'
    union all
    select 'session_tokens', max(to_date(right(relname, 8), 'YYYYMMDD') + 1)::timestamptz,
      exists (select from partitions.session_tokens_default)
    from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^session_tokens_\d{8}$';
end
$$;
revoke execute on function partition_state() from public;
grant execute on function partition_state() to guidon_app;

do $$
begin
  while make_partition() is not null loop
  end loop;
end
$$;
