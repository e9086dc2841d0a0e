/**
 * Makes every secret once, and gives each process the file that it may read, in a volume of its own. Running it again changes
 * nothing, so that secrets outlive `docker compose down`; a process that is new here gets its file.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
// Mounted at the same distance in the container, which has no packages.
import {
  describeProcess,
  type ProcessName,
  processNames,
  redisRules,
} from '../../../packages/processes/src/processes.ts'

export const made = '/secrets/made/secrets.json'
const random = (bytes = 32) => randomBytes(bytes).toString('base64url')

const ownNames = [
  'mongoKeyFile',
  'mongoRoot',
  'keycloakAdmin',
  'bffWeb',
  'bffPassword',
  'svcIdentity',
  'google',
  'sessionKeys',
  'secretKeys',
  'automationSecretKeys',
  'auditKeys',
  'grafanaAdmin',
] as const
/** A process that needs a store is a user of its own there; one that calls others signs with keys of its own. */
export type Name = (typeof ownNames)[number] | `${ProcessName}${'Mongo' | 'Valkey' | 'TokenKeys'}`
const names: readonly Name[] = [
  ...ownNames,
  ...processNames.flatMap((name): Name[] => {
    const { needs, calls } = describeProcess(name)
    return [
      ...(needs.includes('mongodb') ? [`${name}Mongo` as const] : []),
      ...(needs.includes('redis') ? [`${name}Valkey` as const] : []),
      ...(calls.length > 0 ? [`${name}TokenKeys` as const] : []),
    ]
  }),
]
type Secrets = Record<Name, string>

const newKeyName = () => `k${randomBytes(6).toString('hex')}`

export function makeSecret(name: Name): string {
  if (name === 'mongoKeyFile') return randomBytes(512).toString('base64')
  if (name === 'sessionKeys' || name === 'secretKeys' || name === 'automationSecretKeys' || name === 'auditKeys')
    return `${newKeyName()}:${randomBytes(32).toString('base64')}`
  if (!name.endsWith('TokenKeys')) return random()
  const { privateKey } = generateKeyPairSync('ed25519')
  return JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), kid: newKeyName() }])
}

/** A file is there as a whole or not at all, whatever interrupts this. */
export function write(file: string, text: string, uid: number, gid = uid): void {
  const draft = `${file}.part`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, text, { mode: 0o400 })
  chownSync(draft, uid, gid)
  renameSync(draft, file)
  chownSync(dirname(file), uid, gid)
  chmodSync(dirname(file), 0o500)
}

/** Completes what was kept: a process that is new here has none yet. */
export function completeSecrets(kept: Partial<Secrets>): Secrets {
  return Object.fromEntries(names.map((name) => [name, kept[name] ?? makeSecret(name)])) as Secrets
}

function loadSecrets(): Secrets {
  const kept: Partial<Secrets> = existsSync(made) ? JSON.parse(readFileSync(made, 'utf8')) : {}
  const secrets = completeSecrets(kept)
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

const needing = (store: 'mongodb' | 'redis') =>
  processNames.filter((name) => describeProcess(name).needs.includes(store))

const mongoUsers = (s: Secrets) =>
  needing('mongodb').map((name) => ({
    name,
    password: s[`${name}Mongo`],
    databases: describeProcess(name).databases,
  }))

/** The URLs of the stores that a process needs, with its own user. */
function stores(name: ProcessName, s: Secrets, wanted: readonly string[]): Record<string, string> {
  const { needs, databases } = describeProcess(name)
  const has = (store: 'mongodb' | 'redis') => needs.includes(store) && wanted.includes(store)
  const mongo = `mongodb://${name}:${s[`${name}Mongo`]}@mongo:27017/${databases[0]}?replicaSet=rs0&authSource=admin`
  return {
    ...(has('mongodb') && { MONGODB_URL: mongo }),
    ...(has('redis') && { REDIS_URL: `redis://${name}:${s[`${name}Valkey`]}@valkey:6379` }),
  }
}

/** Every secret variable of a process. */
export function environment(name: ProcessName, s: Secrets): Record<string, string> {
  const messaging = { SECRET_KEYS: s.secretKeys }
  const automation = { SECRET_KEYS: s.automationSecretKeys }
  const settings: Partial<Record<ProcessName, Record<string, string>>> = {
    messaging,
    'messaging-ingest': messaging,
    'messaging-worker': messaging,
    'messaging-webhooks': messaging,
    automation,
    'automation-worker': automation,
    'profile-worker': { SMTP_URL: 'smtp://mail:1025', AUDIT_KEYS: s.auditKeys },
    identity: { IDENTITY_CLIENT_SECRET: s.svcIdentity },
    bff: {
      OIDC_WEB_CLIENT_SECRET: s.bffWeb,
      OIDC_PASSWORD_CLIENT_SECRET: s.bffPassword,
      SESSION_KEYS: s.sessionKeys,
    },
  }
  const { calls } = describeProcess(name)
  return {
    ...stores(name, s, ['mongodb', 'redis']),
    ...(calls.length > 0 && { INTERNAL_TOKEN_KEYS: s[`${name}TokenKeys`] }),
    ...settings[name],
  }
}

/** Returns files by consumer: the file, its text, and the user who reads it. */
function files(s: Secrets): readonly (readonly [file: string, text: string, uid: number, gid?: number])[] {
  // No client is the default user, but Redis replays its log as that user and drops the transactions that it may not run. A
  // client without a password may ask whether the server is there; the others reach their own keys alone and may not administer
  // it.
  const acl = [
    'user default reset off ~* &* +@all',
    'user health on nopass resetkeys resetchannels -@all +ping',
    ...needing('redis').map((name) => `user ${name} on >${s[`${name}Valkey`]} ${redisRules(name).join(' ')}`),
  ]
  const clients = { BFF_WEB_SECRET: s.bffWeb, BFF_PASSWORD_SECRET: s.bffPassword, SVC_IDENTITY_SECRET: s.svcIdentity }
  const admin = { KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: s.keycloakAdmin }
  return [
    ['mongo/keyfile', s.mongoKeyFile, 999],
    ['mongo/health.sh', script('mongo-health.sh'), 999],
    ['mongo-setup/env', lines({ MONGO_ROOT_PASSWORD: s.mongoRoot, MONGO_USERS: JSON.stringify(mongoUsers(s)) }), 1000],
    ['valkey/users.acl', `${acl.join('\n')}\n`, 999],
    ['valkey/health.sh', script('valkey-health.sh'), 999],
    ['keycloak/env', lines({ ...admin, ...clients, GOOGLE_CLIENT_SECRET: s.google }), 1000, 0],
    ...processNames
      .filter((name) => describeProcess(name).migrate)
      .map((name) => [`migrations/${name}.env`, lines(stores(name, s, ['mongodb'])), 1000] as const),
    ...processNames.map((name) => [`${name}/env`, lines(environment(name, s)), 1000] as const),
    ['grafana/admin-password', s.grafanaAdmin, 472],
    ['k6/admin-client-secret', s.svcIdentity, 12345],
  ]
}

/** A fresh volume belongs to root, and the processes that write into it are not. */
const owners = { mongo: 999, valkey: 999, keycloak: 1000, simulator: 1000, mail: 1000, prometheus: 65534, grafana: 472 }

/** Writes the file of each process. */
export function writeSecrets(): void {
  for (const [file, text, uid, gid] of files(loadSecrets())) write(join('/secrets', file), text, uid, gid)
  for (const [name, uid] of Object.entries(owners)) chownSync(join('/data', name), uid, uid)
}

if (import.meta.main) {
  if (process.argv[2] === 'show') {
    // For a person: the passwords of the consoles.
    const { keycloakAdmin, grafanaAdmin } = loadSecrets()
    console.log(`Keycloak: admin ${keycloakAdmin}\nGrafana:  admin ${grafanaAdmin}`)
  } else writeSecrets()
}
