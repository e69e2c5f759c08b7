#!/bin/sh
# PostgreSQL's image runs this once, when it creates the database.
# The owner migrates. The processes sign in as guidon_web, which has only the role guidon_app.
set -eu
secrets="${SECRETS_DIR:-/run/secrets}"

psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$(cat "$secrets/database-owner-password")" \
  --set web_password="$(cat "$secrets/database-web-password")" <<'SQL'
create role guidon_owner login password :'owner_password';
create role guidon_app nologin;
create role guidon_web login password :'web_password' in role guidon_app;
create database guidon owner guidon_owner;
revoke connect on database guidon from public;
grant connect on database guidon to guidon_web;
SQL
