-- One spelling for a mailbox (`contract/src/account.ts`): else each spelling would have limits of its own.
alter table users add constraint users_email_spelling check (email ~ '^[!-?A-~]+@[a-z0-9.-]+$' and email = lower(email));
alter table sign_ups add constraint sign_ups_email_spelling check (email ~ '^[!-?A-~]+@[a-z0-9.-]+$' and email = lower(email));

-- The bond between an account and a contact of the CRM. An account sees records of the CRM only through its live link.
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

-- For the list of accounts without a contact, which would otherwise search all links.
alter table users add column has_contact boolean not null default false;
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

drop index users_salesforce_id;
alter table users drop column salesforce_id, drop column linked_at, drop column unlinked_from;
create index users_without_contact on users (created_at, id) where not has_contact;

-- The contact under which a record is shown. It differs from `contact_id` while staff are asked whether a record that
-- came from another contact is shown; 'hidden' if it is shown to nobody meanwhile.
alter table crm_appointment add column shown_contact_id text;
alter table crm_document add column shown_contact_id text;
alter table crm_claim add column shown_contact_id text;
update crm_appointment set shown_contact_id = contact_id;
update crm_document set shown_contact_id = contact_id;
update crm_claim set shown_contact_id = contact_id;
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
drop index crm_appointment_contact, crm_document_contact, crm_claim_contact;
create index crm_appointment_shown on crm_appointment (shown_contact_id, date, time) where scheduled and not deleted;
create index crm_document_shown on crm_document (shown_contact_id) where not deleted;
create index crm_claim_shown on crm_claim (shown_contact_id) where not deleted;
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
