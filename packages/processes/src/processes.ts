// Imports nothing but types: compose makes its secrets from this file in a container that holds Node and nothing else.
import type { ProcessDescription } from './process-description.ts'

/** The processes of profile tell the BFF of changed memberships; its server keeps a cache of users. */
const profileRedis = { keys: ['profile:', 'access:', 'key:', 'queue:profile-'] } as const

/** The processes of messaging share their queues, events and limits, and wake the lanes of automation. */
const messagingRedis = {
  keys: [
    'queue:messaging-',
    'queue:automation-',
    'events:',
    'workspace-limit:',
    'portfolio:',
    'send:',
    'presence:',
    'typing:',
  ],
} as const

const messagingSecrets = {
  MONGODB_URL: 'messagingMongodbUrl',
  REDIS_URL: 'redisUrl',
  SECRET_KEYS: 'secretKeys',
} as const

/** The processes of automation publish into the streams of events that browsers read at messaging. */
const automationRedis = { keys: ['queue:automation-', 'events:', 'workspace-limit:'] } as const

const automationSecrets = {
  MONGODB_URL: 'automationMongodbUrl',
  REDIS_URL: 'redisUrl',
  SECRET_KEYS: 'automationSecretKeys',
} as const

/** Every process, in the order in which documents list them. */
export const processes = {
  bff: {
    label: 'App',
    kind: 'server',
    folder: 'bff',
    entry: 'src/server.ts',
    image: 'parley/bff',
    ports: ['http', 'management'],
    needs: ['redis', 'identity-provider'],
    redis: {
      keys: ['s:', 'sub:', 'sid:', 'rv:', 'tx:', 'code:', 'jti:', 'rl:', 'access:', 'key:', 'calls:'],
      channels: ['__redis__:invalidate'],
    },
    databases: [],
    calls: ['profile', 'identity', 'messaging', 'automation'],
    secrets: {
      REDIS_URL: 'redisUrl',
      SESSION_KEYS: 'sessionKeys',
      INTERNAL_TOKEN_KEYS: 'internalTokenKeys',
      OIDC_WEB_CLIENT_SECRET: 'webClientSecret',
      OIDC_PASSWORD_CLIENT_SECRET: 'passwordClientSecret',
    },
  },
  profile: {
    label: 'Profile service',
    kind: 'server',
    folder: 'services/profile',
    entry: 'src/server.ts',
    image: 'parley/profile',
    ports: ['http'],
    needs: ['mongodb', 'redis'],
    redis: profileRedis,
    databases: ['parley_profile'],
    migrate: 'src/migrate.ts',
    calls: ['messaging'],
    secrets: { MONGODB_URL: 'mongodbUrl', REDIS_URL: 'redisUrl', INTERNAL_TOKEN_KEYS: 'profileTokenKeys' },
  },
  identity: {
    label: 'Identity service',
    kind: 'server',
    folder: 'services/identity',
    entry: 'src/server.ts',
    image: 'parley/identity',
    ports: ['http'],
    needs: ['identity-provider'],
    databases: [],
    calls: [],
    secrets: { IDENTITY_CLIENT_SECRET: 'identityClientSecret' },
  },
  messaging: {
    label: 'Messaging service',
    kind: 'server',
    folder: 'services/messaging',
    entry: 'src/server.ts',
    image: 'parley/messaging',
    ports: ['http'],
    needs: ['mongodb', 'redis', 'whatsapp'],
    redis: messagingRedis,
    databases: ['parley_messaging'],
    migrate: 'src/migrate.ts',
    calls: ['profile'],
    secrets: { ...messagingSecrets, INTERNAL_TOKEN_KEYS: 'messagingTokenKeys' },
  },
  'messaging-ingest': {
    label: 'Messaging ingest',
    kind: 'ingest',
    folder: 'services/messaging',
    entry: 'src/ingest.ts',
    image: 'parley/messaging',
    ports: ['http', 'management'],
    needs: ['mongodb', 'redis'],
    redis: messagingRedis,
    databases: ['parley_messaging'],
    calls: [],
    secrets: messagingSecrets,
  },
  'messaging-worker': {
    label: 'Messaging worker',
    kind: 'worker',
    folder: 'services/messaging',
    entry: 'src/worker.ts',
    image: 'parley/messaging',
    ports: ['http'],
    needs: ['mongodb', 'redis', 'whatsapp', 'receivers'],
    redis: messagingRedis,
    databases: ['parley_messaging'],
    calls: ['profile', 'automation'],
    secrets: { ...messagingSecrets, INTERNAL_TOKEN_KEYS: 'messagingWorkerTokenKeys' },
  },
  'messaging-webhooks': {
    label: 'Outbound webhooks',
    kind: 'worker',
    folder: 'services/messaging',
    entry: 'src/webhooks.ts',
    image: 'parley/messaging',
    ports: ['http'],
    needs: ['mongodb', 'redis', 'receivers'],
    redis: messagingRedis,
    databases: ['parley_messaging'],
    calls: [],
    secrets: messagingSecrets,
  },
  automation: {
    label: 'Automation service',
    kind: 'server',
    folder: 'services/automation',
    entry: 'src/server.ts',
    image: 'parley/automation',
    ports: ['http'],
    needs: ['mongodb', 'redis'],
    redis: automationRedis,
    databases: ['parley_automation'],
    migrate: 'src/migrate.ts',
    calls: ['messaging', 'profile'],
    secrets: { ...automationSecrets, INTERNAL_TOKEN_KEYS: 'automationTokenKeys' },
  },
  'automation-worker': {
    label: 'Automation worker',
    kind: 'worker',
    folder: 'services/automation',
    entry: 'src/worker.ts',
    image: 'parley/automation',
    ports: ['http'],
    needs: ['mongodb', 'redis', 'receivers'],
    redis: automationRedis,
    databases: ['parley_automation'],
    calls: ['messaging', 'profile'],
    secrets: { ...automationSecrets, INTERNAL_TOKEN_KEYS: 'automationWorkerTokenKeys' },
  },
  'profile-worker': {
    label: 'Profile worker',
    kind: 'worker',
    folder: 'services/profile',
    entry: 'src/worker.ts',
    image: 'parley/profile',
    ports: ['http'],
    needs: ['mongodb', 'redis', 'mail'],
    redis: profileRedis,
    databases: ['parley_profile'],
    calls: ['messaging'],
    secrets: {
      MONGODB_URL: 'mongodbUrl',
      REDIS_URL: 'redisUrl',
      INTERNAL_TOKEN_KEYS: 'profileWorkerTokenKeys',
      SMTP_URL: 'smtpUrl',
      AUDIT_KEYS: 'auditKeys',
    },
  },
  simulator: {
    label: 'Page of phones',
    kind: 'stand-in',
    folder: 'services/simulator',
    entry: 'src/server.ts',
    image: 'parley/simulator',
    ports: ['http'],
    needs: [],
    databases: [],
    calls: [],
    secrets: {},
  },
} as const satisfies Readonly<Record<string, ProcessDescription>>

export type ProcessName = keyof typeof processes
export const processNames = Object.keys(processes) as ProcessName[]

/** Returns the description of a process in its general type. Processes in `calls` must be in the list. */
export const describeProcess = (
  name: ProcessName,
): Omit<ProcessDescription, 'calls'> & { readonly calls: readonly ProcessName[] } => processes[name]

/** Processes that are deployed: all but the stand-ins. */
export const deployedNames: readonly ProcessName[] = processNames.filter(
  (name) => describeProcess(name).kind !== 'stand-in',
)

/** Beginning of the variables that count for this process alone, where several share one environment. */
export const variablePrefix = (name: ProcessName): string => `${name.toUpperCase().replaceAll('-', '_')}__`

/** Returns the export of its `src/config.ts` by which a process checks its environment: a worker has `workerConfigSchema`. */
export const configExport = (name: ProcessName): string => {
  const [, entry = ''] = /([a-z]+)\.ts$/.exec(describeProcess(name).entry) ?? []
  return entry === 'server' ? 'configSchema' : `${entry}ConfigSchema`
}

/** Returns the rules of a process's user in Redis or Valkey, as `ACL SETUSER` takes them, without its password. */
export function redisRules(name: ProcessName): string[] {
  const { keys = [], channels = [] } = describeProcess(name).redis ?? {}
  return [
    'resetkeys',
    // Processes check by this key whether the server accepts writes.
    '~ready',
    ...keys.map((prefix) => `~${prefix}*`),
    'resetchannels',
    ...channels.map((channel) => `&${channel}`),
    '+@all',
    '-@admin',
    '-flushall',
    '-flushdb',
  ]
}

/** Processes that call another one, and so sign with keys of their own. */
export const callersOf = (name: ProcessName): ProcessName[] =>
  processNames.filter((caller) => describeProcess(caller).calls.includes(name))

/** Returns the port that has metrics and public keys. */
export const operationsPort = (name: ProcessName): 'http' | 'management' =>
  describeProcess(name).ports.includes('management') ? 'management' : 'http'

export type UrlVariable<Name extends string> = `${Uppercase<Name>}_URL`

/** Returns the variable that holds a service's base URL: `PROFILE_URL`. */
export const urlVariable = <Name extends string>(name: Name): UrlVariable<Name> =>
  `${name.toUpperCase().replaceAll('-', '_')}_URL` as UrlVariable<Name>
