-- The name of the request that a document answers. It is kept here, because in the CRM the file's name overwrites it.

alter table documents add column request_name text;
