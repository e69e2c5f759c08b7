-- The audit log is ordered by the numbers that the cluster gives its transactions. A copy of the database
-- may come to a cluster that has not counted so far (a dump that was restored there): what is logged then
-- is numbered on from the highest that came with it.
create table audit_epoch (
  single boolean primary key default true check (single),
  ahead bigint not null
);
insert into audit_epoch (ahead) values (0);
revoke insert, update, delete on audit_epoch from guidon_app;

create function audit_number(counted xid8) returns xid8
language sql stable
as $$ select (counted::text::bigint + ahead)::text::xid8 from public.audit_epoch $$;

alter table audit_events alter column transaction set default audit_number(pg_current_xact_id());
