#!/usr/bin/env bash
# Makes every secret of a new installation once, in a folder that it makes: secrets.sh FOLDER.
#   secret.yaml   the Secret that pods read:          kubectl --namespace parley apply --filename FOLDER/secret.yaml
#   mongodb.js    the users of the databases:         mongosh "mongodb://admin@…" FOLDER/mongodb.js
#   redis.txt     the user of Redis:                  redis-cli -h … --user admin --askpass < FOLDER/redis.txt
#   keycloak.env  what the realm has to know as well: deploy/keycloak/README.md
# Variables: MONGODB_HOSTS, MONGODB_OPTIONS, REDIS_HOST, REDIS_SCHEME, SMTP_URL, SECRET_NAME. Needs openssl.
set -euo pipefail
umask 077

folder=${1:?say which folder is to be made: secrets.sh parley-secrets}
: "${MONGODB_HOSTS:?such as mongodb-0.example.com:27017,mongodb-1.example.com:27017}"
: "${REDIS_HOST:?such as redis.example.com:6379}"
: "${SMTP_URL:?such as smtps://user:password@smtp.example.com:465}"
options=${MONGODB_OPTIONS:-replicaSet=rs0&tls=true}
if [ -e "$folder" ]; then
  echo "$folder is there already. Secrets are made once: others would sign everybody out and leave stored tokens unreadable." >&2
  exit 1
fi

random() { openssl rand -hex 32; }
keys() { printf 'k1:%s' "$(openssl rand -base64 32)"; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
token_keys() {
  local key public
  key=$(mktemp) && openssl genpkey -algorithm ed25519 -outform DER -out "$key"
  public=$(openssl pkey -in "$key" -inform DER -pubout -outform DER | tail -c 32 | base64url)
  printf '[{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"%s","d":"%s"}]' "$public" "$(tail -c 32 "$key" | base64url)"
  rm "$key"
}
# Prints a line of the Secret; in single quotes YAML knows no other sign than the quote itself.
entry() { printf "  %s: '%s'\n" "$1" "${2//\'/\'\'}"; }

draft=$(mktemp --directory "$(dirname "$folder")/.parley-secrets-XXXXXX")
trap 'rm -rf "$draft"' EXIT
web=$(random) password=$(random) identity=$(random) redis=$(random)
{
  printf 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: %s\nstringData:\n' "${SECRET_NAME:-parley}"
  for database in profile messaging automation; do
    secret=$(random)
    variable=MONGODB_URL
    [ "$database" = profile ] || variable="$(echo "$database" | tr '[:lower:]' '[:upper:]')_MONGODB_URL"
    entry "$variable" "mongodb://parley:$secret@$MONGODB_HOSTS/parley_$database?$options"
    echo "db.getSiblingDB('parley_$database').createUser({ user: 'parley', pwd: '$secret', roles: ['readWrite'] })" >> "$draft/mongodb.js"
  done
  entry REDIS_URL "${REDIS_SCHEME:-rediss}://parley:$redis@$REDIS_HOST"
  entry SMTP_URL "$SMTP_URL"
  for name in SECRET_KEYS AUTOMATION_SECRET_KEYS SESSION_KEYS AUDIT_KEYS; do entry "$name" "$(keys)"; done
  for name in INTERNAL PROFILE PROFILE_WORKER MESSAGING MESSAGING_WORKER AUTOMATION AUTOMATION_WORKER; do
    entry "${name}_TOKEN_KEYS" "$(token_keys)"
  done
  entry OIDC_WEB_CLIENT_SECRET "$web"
  entry OIDC_PASSWORD_CLIENT_SECRET "$password"
  entry IDENTITY_CLIENT_SECRET "$identity"
} > "$draft/secret.yaml"
echo "ACL SETUSER parley on >$redis ~* &* +@all -@admin -flushall -flushdb" > "$draft/redis.txt"
echo 'ACL SAVE' >> "$draft/redis.txt"
printf 'BFF_WEB_SECRET=%s\nBFF_PASSWORD_SECRET=%s\nSVC_IDENTITY_SECRET=%s\n' "$web" "$password" "$identity" > "$draft/keycloak.env"
mv "$draft" "$folder"
trap - EXIT
echo "$folder holds every secret. Keep it where you keep secrets, or delete it once all of it is applied."
