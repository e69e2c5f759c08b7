-- What the veteran said of the address in the intake: an object with only the parts that were said. The contact in the
-- CRM gets it, and the profile shows it until the mirror has read it back.
alter table users add column address jsonb, add column address_said_at timestamptz;
