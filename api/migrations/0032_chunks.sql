-- A chunk begins where the one before ends, and is never written again. No release has stored any files yet.

alter table upload_chunks rename column number to start;
alter table uploads drop column chunks;
alter table unfinished_uploads drop column parts;

-- For the limit of what is unfinished in total.
create index unfinished_uploads_open on unfinished_uploads (size)
  where document_id is null and refusal is null;

-- How many files the phone has started to send.
alter table hand_offs add column tries integer not null default 0;
