/**
 * Makes every secret once, and gives each process the file that it may read, in a volume of its own. Running it again changes
 * nothing, so that secrets outlive `docker compose down`; a process that is new here gets its file.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const made = '/secrets/made/secrets.json'
const random = (bytes = 32) => randomBytes(bytes).toString('base64url')

const names = [
  'mongoKeyFile',
  'mongoRoot',
  'mongoProfile',
  'valkeyBff',
  'valkeyProfile',
  'keycloakAdmin',
  'bffWeb',
  'bffPassword',
  'svcIdentity',
  'google',
  'sessionKeys',
  'internalTokenKeys',
  'grafanaAdmin',
] as const
type Secrets = Record<(typeof names)[number], string>

function makeSecret(name: (typeof names)[number]): string {
  if (name === 'mongoKeyFile') return randomBytes(512).toString('base64')
  if (name === 'sessionKeys') return `k1:${randomBytes(32).toString('base64')}`
  if (name !== 'internalTokenKeys') return random()
  const { privateKey } = generateKeyPairSync('ed25519')
  return JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid: random(9) }])
}

/** A file is there as a whole or not at all, whatever interrupts this. */
function write(file: string, text: string, uid: number, gid = uid): void {
  const draft = `${file}.part`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, text, { mode: 0o400 })
  chownSync(draft, uid, gid)
  renameSync(draft, file)
  chownSync(dirname(file), uid, gid)
  chmodSync(dirname(file), 0o500)
}

function loadSecrets(): Secrets {
  const kept: Partial<Secrets> = existsSync(made) ? JSON.parse(readFileSync(made, 'utf8')) : {}
  const entries = names.map((name) => [name, kept[name] ?? makeSecret(name)] as const)
  const secrets = Object.fromEntries(entries) as Secrets
  if (names.some((name) => kept[name] === undefined)) {
    write(made, JSON.stringify(secrets), 0)
    console.log('secrets are made')
  }
  return secrets
}

const lines = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

/** Health checks go along: read from the checkout itself they would fail as soon as another branch is checked out. */
const script = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** By consumer: the file, its text, and the user who reads it. */
function files(s: Secrets): readonly [string, string, number, number?][] {
  const redis = (user: string, password: string) => `redis://${user}:${password}@valkey:6379`
  const mongo = `mongodb://profile:${s.mongoProfile}@mongo:27017/parley_profile?replicaSet=rs0&authSource=admin`
  // Nobody is the default user, but Redis replays its log as that one and drops the transactions that it may not run. Without
  // a password one may ask whether the server is there; the two others may not administer it.
  const acl = [
    'user default reset off ~* &* +@all',
    'user health on nopass resetkeys resetchannels -@all +ping',
    `user bff on >${s.valkeyBff} ~* &* +@all -@admin -flushall -flushdb`,
    `user profile on >${s.valkeyProfile} ~* &* +@all -@admin -flushall -flushdb`,
  ]
  const clients = { BFF_WEB_SECRET: s.bffWeb, BFF_PASSWORD_SECRET: s.bffPassword, SVC_IDENTITY_SECRET: s.svcIdentity }
  const admin = { KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: s.keycloakAdmin }
  return [
    ['mongo/keyfile', s.mongoKeyFile, 999],
    ['mongo/health.sh', script('mongo-health.sh'), 999],
    ['mongo-setup/env', lines({ MONGO_ROOT_PASSWORD: s.mongoRoot, MONGO_PROFILE_PASSWORD: s.mongoProfile }), 1000],
    ['valkey/users.acl', `${acl.join('\n')}\n`, 999],
    ['valkey/health.sh', script('valkey-health.sh'), 999],
    ['keycloak/env', lines({ ...admin, ...clients, GOOGLE_CLIENT_SECRET: s.google }), 1000, 0],
    ['migrations/env', lines({ MONGODB_URL: mongo }), 1000],
    ['profile/env', lines({ MONGODB_URL: mongo, REDIS_URL: redis('profile', s.valkeyProfile) }), 1000],
    ['identity/env', lines({ IDENTITY_CLIENT_SECRET: s.svcIdentity }), 1000],
    [
      'bff/env',
      lines({
        REDIS_URL: redis('bff', s.valkeyBff),
        OIDC_WEB_CLIENT_SECRET: s.bffWeb,
        OIDC_PASSWORD_CLIENT_SECRET: s.bffPassword,
        SESSION_KEYS: s.sessionKeys,
        INTERNAL_TOKEN_KEYS: s.internalTokenKeys,
      }),
      1000,
    ],
    ['grafana/admin-password', s.grafanaAdmin, 472],
    ['k6/admin-client-secret', s.svcIdentity, 12345],
  ]
}

/** A fresh volume belongs to root, and the processes that write into it are not. */
const owners = { mongo: 999, valkey: 999, keycloak: 1000, mail: 1000, prometheus: 65534, grafana: 472 }

if (process.argv[2] === 'show') {
  // For a person: the passwords of the consoles.
  const { keycloakAdmin, grafanaAdmin } = loadSecrets()
  console.log(`Keycloak: admin ${keycloakAdmin}\nGrafana:  admin ${grafanaAdmin}`)
} else {
  for (const [file, text, uid, gid] of files(loadSecrets())) write(join('/secrets', file), text, uid, gid)
  for (const [name, uid] of Object.entries(owners)) chownSync(join('/data', name), uid, uid)
}
