import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rig } from './rig.ts'

const program = '/usr/sbin/apache2'
const moduleFolder = '/usr/lib/apache2/modules'
const openidModule = join(moduleFolder, 'mod_auth_openidc.so')
/** Debian's packages that bring both. */
const packages = ['apache2', 'libapache2-mod-auth-openidc']

/** Why Apache cannot be measured here; `undefined` where it can. */
export function apacheMissing(): string | undefined {
  const isThere = existsSync(program) && existsSync(openidModule)
  return isThere ? undefined : `no Apache with ${openidModule} (Debian: ${packages.join(', ')}; --apache installs them)`
}

/** Installs what is missing; needs Debian or one of its kin, and root. */
export function installApache(): void {
  execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], { stdio: 'inherit' })
}

/** Apache with mod_auth_openidc and its Redis session cache in front of the same service. */
export function apacheCommand({ stack: { env, urls, secrets }, folder }: Pick<Rig, 'stack' | 'folder'>, port: number) {
  const root = join(folder, 'apache')
  mkdirSync(root)
  const redis = new URL(urls.redis)
  const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'proxy', 'proxy_http', 'auth_openidc']
  const config = [
    `ServerRoot ${root}`,
    `PidFile ${root}/apache.pid`,
    `ErrorLog ${root}/error.log`,
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    ...modules.map((name) => `LoadModule ${name}_module ${moduleFolder}/mod_${name}.so`),
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    ...['KeepAlive On', 'MaxKeepAliveRequests 0', 'KeepAliveTimeout 60'],
    `OIDCProviderMetadataURL ${urls.identity}/.well-known/openid-configuration`,
    'OIDCClientID bff-web',
    `OIDCClientSecret ${secrets.bffWebSecret}`,
    'OIDCProviderTokenEndpointAuth client_secret_post',
    `OIDCRedirectURI ${urls.app}/auth/callback`,
    `OIDCCryptoPassphrase ${randomBytes(32).toString('hex')}`,
    'OIDCScope "openid profile email"',
    ...['OIDCPKCEMethod S256', 'OIDCPassClaimsAs none'],
    ...['OIDCSessionType server-cache', 'OIDCCacheType redis'],
    `OIDCRedisCacheServer ${redis.hostname}:${redis.port}`,
    '<Location />',
    '  AuthType openid-connect',
    '  Require valid-user',
    `  ProxyPass ${env.bff['PROFILE_URL']}/ keepalive=On`,
    '</Location>',
    '<Location /auth/callback>',
    '  ProxyPass !',
    '</Location>',
  ]
  const file = join(root, 'apache.conf')
  writeFileSync(file, `${config.join('\n')}\n`)
  return { file: program, args: ['-f', file, '-DFOREGROUND'] }
}
