import { join } from 'node:path'
import { buildFrontend, frontendDist } from '../frontend-build.ts'
import type { Environment, Part, StackContext } from '../part.ts'
import { bffOrigin, identityOrigin, profileOrigin, publicOrigin } from './addresses.ts'
import { issuerUrl } from './identity-provider.ts'
import { wantsKeycloak } from './keycloak.ts'
import { nodeEnvironment, nodeProgram } from './node-part.ts'
import { redisUrl } from './redis.ts'

/** On one machine every browser and test has the same IP, so that the limits for each IP must not bite. */
const localLimits = { LIMIT_SIGN_IN_PER_MINUTE_PER_IP: '6000', LIMIT_SIGN_UP_PER_HOUR_PER_IP: '6000' }

/** The process that browsers talk to; it serves the built frontend. */
export function bffPart(context: StackContext): Part {
  const { secrets, ports } = context
  const env = {
    ...nodeEnvironment(context, 'app'),
    ...localLimits,
    ...settingsFrom(context.environment),
    MANAGEMENT_PORT: String(ports.bffManagement),
    PUBLIC_ORIGIN: publicOrigin(context),
    TRUST_PROXY_HOPS: '0',
    REDIS_URL: redisUrl(context),
    OIDC_ISSUER: issuerUrl(context),
    OIDC_WEB_CLIENT_ID: 'bff-web',
    OIDC_WEB_CLIENT_SECRET: secrets.bffWebSecret,
    OIDC_PASSWORD_CLIENT_ID: 'bff-password',
    OIDC_PASSWORD_CLIENT_SECRET: secrets.bffPasswordSecret,
    SESSION_KEYS: secrets.sessionKeys,
    INTERNAL_TOKEN_KEYS: secrets.internalTokenKeys,
    PROFILE_URL: profileOrigin(context),
    IDENTITY_URL: identityOrigin(context),
    STATIC_DIR: frontendDist,
  }
  return {
    name: 'bff',
    label: 'App',
    kind: 'Parley',
    address: publicOrigin(context),
    dataAt: 'Redis (sessions)',
    // It is ready once the provider has answered, and the first start of a Keycloak takes longer than it is given.
    needs: wantsKeycloak(context.environment) ? ['redis', 'identity-provider'] : ['redis'],
    env,
    local: nodeProgram({
      script: 'bff/src/server.ts',
      label: 'App',
      env,
      ports: ['app', 'bffManagement'],
      readyUrl: `${bffOrigin(context)}/readyz`,
      before: () => buildFrontend({ stampFile: join(context.toolsDir, '../frontend-build.json'), say: context.say }),
    }),
  }
}

/** What of the launcher's environment is about signing in: the limits, and where passwords are entered. */
function settingsFrom(environment: NodeJS.ProcessEnv): Environment {
  const isSetting = (name: string) => name.startsWith('LIMIT_') || name === 'PASSWORD_SIGN_IN'
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (isSetting(name) && value ? [[name, value]] : [])),
  )
}
