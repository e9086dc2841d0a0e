#!/bin/bash
# Starts Keycloak with secrets from a file. Only words of the shell itself: the vendor's image has few programs.
set -euo pipefail

refuse() {
  echo "Keycloak does not start: $1" >&2
  exit 64
}

# An option and a placeholder of a realm are read from the environment alone. Exported here, a secret is in no `docker inspect`.
if [[ -n ${SECRETS_FILE:-} ]]; then
  [[ -r $SECRETS_FILE ]] || refuse "SECRETS_FILE ($SECRETS_FILE) cannot be read."
  set -a
  # shellcheck source=/dev/null
  . "$SECRETS_FILE"
  set +a
fi

# Keycloak imports a placeholder without a value as it stands: everybody would know the secret "${BFF_WEB_SECRET}".
may_be_empty=' SMTP_USER SMTP_PASSWORD '
for realm in /opt/keycloak/data/import/*.json; do
  [[ -f $realm ]] || continue
  rest=$(<"$realm")
  while [[ $rest =~ \$\{([A-Z][A-Z0-9_]*)\} ]]; do
    name=${BASH_REMATCH[1]}
    rest=${rest#*"\${$name}"}
    [[ -n ${!name+set} ]] || refuse "$name is not set, but ${realm##*/} needs it."
    [[ -n ${!name} || $may_be_empty == *" $name "* ]] || refuse "$name is empty, but ${realm##*/} needs it."
  done
done

# A realm is imported once; started later under another address its sign-ins would fail in ways that are hard to read.
kept=/opt/keycloak/data/h2/imported-for
if [[ -n ${PUBLIC_ORIGIN:-} && -d ${kept%/*} && -w ${kept%/*} ]]; then
  now="app $PUBLIC_ORIGIN, Keycloak ${KEYCLOAK_URL:-}"
  [[ -f $kept ]] || echo "$now" >"$kept"
  before=$(<"$kept")
  [[ $before == "$now" ]] || refuse "its realm was made for $before, and now it is $now. Keep the ports, or remove the volumes."
fi

exec /opt/keycloak/bin/kc.sh "$@"
