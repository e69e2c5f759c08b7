-- Emails about a veteran's case: what is due, what was sent, and what the veteran turned off. The previous release ignores
-- all of it.

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

-- Last, because each locks a table that every request reads, until the end of the transaction.

-- Null if the org does not say.
alter table crm_contact add column deceased boolean;

-- What the person accepted with the sign-up: the texts as they were shown. Null if the release before this one stored it.
alter table sign_ups add column consents jsonb;

-- Decided at the sign-in, so that a changed text never interrupts a session.
alter table sessions add column consents_due boolean not null default false;
-- Emails came back before the sign-in, which needs an email.
alter table sessions add column email_came_back boolean not null default false;
