-- A worker claims a document before it sends it to the file store, and renews the claim while the transfer runs.
-- A claim of a worker that died expires. The previous release ignores both columns.
alter table documents add column claimed_by uuid, add column claimed_until timestamptz;

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

create table crm_calls (
  day date not null,
  purpose text not null,
  calls integer not null,
  at timestamptz not null default now(),
  primary key (day, purpose)
);
