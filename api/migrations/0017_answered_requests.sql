-- The name of the request that a document answers: in the CRM the file's name takes its place.

alter table documents add column request_name text;
