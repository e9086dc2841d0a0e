import { isShapeName, type ShapeName, shapeNames, shapes } from './shapes.ts'

/** What a run is told by its environment. */
export interface Settings {
  /** Origin of the app, as browsers know it. */
  readonly target: string
  /** Issuer of the identity provider, as browsers know it. */
  readonly issuer: string
  /** The same realm where its admin interface answers: `/admin` is not for the outside. */
  readonly adminIssuer: string
  readonly adminClientId: string
  readonly adminClientSecret: string
  readonly shape: ShapeName
  /** Journeys a second at factor 1 of the shape. */
  readonly rate: number
  /** Multiplies the latency limits. */
  readonly thresholdFactor: number
  /** Origin of the simulator that plays WhatsApp for the target; nobody writes without. */
  readonly simulator: string | undefined
  /** Names the accounts of this run. */
  readonly runId: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** A reason to refuse the run: a sentence for whoever started it. */
export class Refusal extends Error {}

/**
 * @param readSecret reads the file that ADMIN_CLIENT_SECRET_FILE names.
 * @throws Refusal for a missing or wrong variable, or a target that nobody agreed to load.
 */
export function readSettings(env: Environment, readSecret: (file: string) => string): Settings {
  const target = originOf(required(env, 'TARGET', 'the origin of the app, such as http://localhost:3000'), 'TARGET')
  const issuer = required(
    env,
    'OIDC_ISSUER',
    'the issuer of the identity provider, such as https://id.example.com/realms/parley',
  )
  const adminIssuer = env['ADMIN_ISSUER']?.trim() || issuer
  const simulator = env['SIMULATOR'] ? originOf(env['SIMULATOR'], 'SIMULATOR') : undefined
  const hosts = [
    target,
    simulator ?? target,
    realmOriginOf(issuer, 'OIDC_ISSUER'),
    realmOriginOf(adminIssuer, 'ADMIN_ISSUER'),
  ].map(hostOf)
  requireConsent(hosts, env['ALLOW_TARGET'])
  const shape = env['SHAPE'] || 'smoke'
  if (!isShapeName(shape)) throw new Refusal(`SHAPE is ${shape}; it must be one of ${shapeNames.join(', ')}.`)
  return {
    target,
    issuer,
    adminIssuer,
    adminClientId: env['ADMIN_CLIENT_ID'] || 'svc-identity',
    adminClientSecret: secretOf(env, readSecret),
    shape,
    rate: positive(env, 'RATE', shapes[shape].baseRate),
    thresholdFactor: positive(env, 'THRESHOLD_FACTOR', 1),
    simulator,
    runId: runIdOf(env['RUN_ID']),
  }
}

function required(env: Environment, name: string, what: string): string {
  const value = env[name]?.trim()
  if (!value) throw new Refusal(`${name} is not set: it names ${what}.`)
  return value
}

function secretOf(env: Environment, readSecret: (file: string) => string): string {
  const file = env['ADMIN_CLIENT_SECRET_FILE']
  const secret = env['ADMIN_CLIENT_SECRET'] || (file ? readSecret(file).trim() : '')
  if (secret) return secret
  throw new Refusal(
    'Neither ADMIN_CLIENT_SECRET nor ADMIN_CLIENT_SECRET_FILE is set: the secret of a client (ADMIN_CLIENT_ID, svc-identity) that may manage the users of the realm.',
  )
}

function positive(env: Environment, name: string, fallback: number): number {
  const value = env[name] ? Number(env[name]) : fallback
  if (value > 0 && value <= 1000) return value
  throw new Refusal(`${name} is ${env[name]}; it must be a number above 0 and at most 1000.`)
}

const realmOriginOf = (issuer: string, name: string): string =>
  originOf(/^(https?:\/\/[^/]+)\/realms\/[\w-]+$/.exec(issuer)?.[1] ?? '', name)

function originOf(url: string, name: string): string {
  const match = /^https?:\/\/(?:\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(url.replace(/\/$/, ''))
  if (match) return match[0]
  throw new Refusal(
    name === 'TARGET' || name === 'SIMULATOR'
      ? `${name} is ${url}; it must be an origin, such as http://localhost:3000, without a path.`
      : `${name} must be the URL of a realm, such as https://id.example.com/realms/parley.`,
  )
}

const hostOf = (origin: string): string => /^https?:\/\/(\[[^\]]+\]|[^:/]+)/i.exec(origin)?.[1]?.toLowerCase() ?? ''

const privateHosts = [
  /^localhost$/,
  /^[\w-]+$/,
  /^127\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^\[(::1|f[cd].*)\]$/,
  /\.(test|localhost|local|internal)$/,
]

/** Whether a host can only be somebody's own machine or network. Every other one may be where customers are. */
export const isPrivateHost = (host: string): boolean => privateHosts.some((pattern) => pattern.test(host))

function requireConsent(hosts: readonly string[], consent = ''): void {
  const agreed = consent
    .toLowerCase()
    .split(',')
    .map((host) => host.trim())
  const others = [...new Set(hosts)].filter((host) => !isPrivateHost(host) && !agreed.includes(host))
  if (others.length === 0) return
  throw new Refusal(
    `${others.join(' and ')} may be in production: this run makes accounts there and loads it. If that is meant, set ALLOW_TARGET=${others.join(',')}.`,
  )
}

function runIdOf(given: string | undefined): string {
  const id = given || Math.random().toString(36).slice(2, 10)
  if (/^[a-z0-9]{1,16}$/.test(id)) return id
  throw new Refusal('RUN_ID must be 1 to 16 small letters and digits.')
}
