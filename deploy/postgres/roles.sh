#!/bin/sh
# Runs once, when the database is made: the role that the service connects as,
# which can't change the schema. The migrations belong to the owner.
set -eu
: "${CASINO_APP_PASSWORD:?is needed: the password of the role that the service connects as}"
psql -v ON_ERROR_STOP=1 -v password="$CASINO_APP_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE casino_runtime NOLOGIN;
CREATE ROLE casino_app LOGIN PASSWORD :'password' IN ROLE casino_runtime;
SQL
