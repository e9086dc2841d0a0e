/** Target of the load, and the client by which its test accounts are made. */
export interface Target {
  /** Origin of the app, as browsers know it. */
  readonly app: string
  /** Issuer of the identity provider, as browsers know it. */
  readonly issuer: string
  /** The same realm where its admin interface answers: `/admin` is not for the outside. */
  readonly adminIssuer: string
  readonly adminClientId: string
  readonly adminClientSecret: string
  /** Origin of the simulator that plays WhatsApp for the target; no messages are written without it. */
  readonly simulator: string | undefined
}

const origin = /^https?:\/\/(\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?/i

/**
 * @param readSecret reads the file that ADMIN_CLIENT_SECRET_FILE names.
 * @throws for a missing or wrong variable, or a target that no one agreed to load.
 */
export function readTarget(
  env: Readonly<Record<string, string | undefined>>,
  readSecret: (file: string) => string,
): Target {
  function url(name: string, example: string, otherwise = ''): string {
    const value = (env[name]?.trim() || otherwise).replace(/\/$/, '')
    if (!value) throw new Error(`${name} is not set: it is like ${example}.`)
    const path = value.replace(origin, '')
    if (path !== value && (example.includes('/realms/') ? /^\/realms\/[\w-]+$/.test(path) : path === '')) return value
    throw new Error(`${name} is ${value}; it must be like ${example}.`)
  }
  const realm = 'https://id.example.com/realms/parley'
  const app = url('TARGET', 'http://localhost:3000')
  const issuer = url('OIDC_ISSUER', realm)
  const adminIssuer = url('ADMIN_ISSUER', realm, issuer)
  const simulator = env['SIMULATOR'] ? url('SIMULATOR', 'http://localhost:3004') : undefined
  const hosts = [app, issuer, adminIssuer, simulator ?? app].map(
    (address) => origin.exec(address)?.[1]?.toLowerCase() ?? '',
  )
  const agreed = (env['ALLOW_TARGET'] ?? '').toLowerCase().split(/[\s,]+/)
  const others = [...new Set(hosts)].filter((host) => !isPrivateHost(host) && !agreed.includes(host))
  if (others.length > 0)
    throw new Error(
      `${others.join(' and ')} may be in production: this run makes accounts there and loads it. If that is meant, set ALLOW_TARGET=${others.join(',')}.`,
    )
  const file = env['ADMIN_CLIENT_SECRET_FILE']
  const adminClientSecret = env['ADMIN_CLIENT_SECRET'] || (file ? readSecret(file).trim() : '')
  if (!adminClientSecret) throw new Error('Neither ADMIN_CLIENT_SECRET nor ADMIN_CLIENT_SECRET_FILE is set.')
  return {
    app,
    issuer,
    adminIssuer,
    adminClientId: env['ADMIN_CLIENT_ID'] || 'svc-identity',
    adminClientSecret,
    simulator,
  }
}

const privateHosts = [
  /^localhost$/,
  /^[\w-]+$/,
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/,
  /^\[(::1|f[cd].*)\]$/,
  /\.(test|localhost|local|internal)$/,
]

/** Returns whether a host can only be a private machine or network. Every other one may be where customers are. */
export const isPrivateHost = (host: string): boolean => privateHosts.some((pattern) => pattern.test(host))
