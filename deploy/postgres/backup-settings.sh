# Settings for the scripts of this folder, which include this file. The defaults are those of the containers;
# without containers, the file that BACKUP_SETTINGS names sets the variables.
set -eu
umask 077
scripts="$(cd "$(dirname "$0")" && pwd)"
if [ -n "${BACKUP_SETTINGS:-}" ]; then
  set -a
  . "$BACKUP_SETTINGS"
  set +a
fi
: "${PGDATA:?is the data folder of PostgreSQL}"
: "${PGHOST:=/var/run/postgresql}" "${BACKUP_FOLDER:=/backup}" "${SECRETS_DIR:=/run/secrets}"
: "${BACKUP_METRICS_PATH:=/backup-metrics/backup.prom}"

export PGHOST
export PGBACKREST_CONFIG="$scripts/pgbackrest.conf"
export PGBACKREST_STANZA=guidon
export PGBACKREST_PG1_PATH="$PGDATA"
export PGBACKREST_PG1_PORT="${PGPORT:-5432}"
export PGBACKREST_REPO1_PATH="$BACKUP_FOLDER"
# As variables, because anybody on the machine can read the arguments of a process.
PGBACKREST_REPO1_CIPHER_PASS="$(cat "$SECRETS_DIR/backup-passphrase")"
export PGBACKREST_REPO1_CIPHER_PASS
if [ "${PGBACKREST_REPO1_TYPE:-posix}" = s3 ]; then
  PGBACKREST_REPO1_S3_KEY="$(cat "$SECRETS_DIR/backup-s3-key")"
  PGBACKREST_REPO1_S3_KEY_SECRET="$(cat "$SECRETS_DIR/backup-s3-key-secret")"
  export PGBACKREST_REPO1_S3_KEY PGBACKREST_REPO1_S3_KEY_SECRET
fi

# metric <name>: its value in the metrics file; nothing if it is not a whole number.
metric() { sed -n "s/^$1 \([0-9]*\)$/\1/p" "$BACKUP_METRICS_PATH" 2>/dev/null || true; }

# restore_files <folder> <option>…: restores a data folder that will be PGDATA. It never archives by itself.
restore_files() {
  folder="$1"
  shift
  mkdir -p "$folder"
  settings="${BACKUP_SETTINGS:+BACKUP_SETTINGS=$BACKUP_SETTINGS }"
  pgbackrest restore --pg1-path="$folder" --archive-mode=off "$@" \
    --recovery-option=restore_command="$settings$scripts/pgbackrest --pg1-path=$PGDATA archive-get %f %p"
}
