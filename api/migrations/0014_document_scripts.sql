-- Forms with scripts are accepted as they are; staff, who open them, are told.

alter table documents add column has_scripts boolean not null default false;
