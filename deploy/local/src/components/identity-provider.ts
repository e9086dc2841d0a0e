import { join } from 'node:path'
import type { Component, StackContext } from '../component.ts'
import { backingUrl } from '../environment.ts'
import { ensureFolder } from '../files.ts'
import { Problem } from '../problem.ts'
import type { Secrets } from '../secrets.ts'
import { respondsOk } from './health.ts'
import { appSettings, keycloakComponent, wantsKeycloak } from './keycloak.ts'
import { smtpUrl } from './mail.ts'
import { nodeEnvironment, nodeProgram } from './node-program.ts'
import { remoteComponent } from './remote.ts'

/** The stand-in for Keycloak, with KEYCLOAK=real a Keycloak, or the realm that OIDC_ISSUER names. */
export function identityProviderComponent(context: StackContext): Component {
  const base = { name: 'identity-provider', label: 'Identity provider', needs: [] } as const
  const url = backingUrl(context.environment, 'OIDC_ISSUER')
  if (url) return remoteComponent(base, { variable: 'OIDC_ISSUER', url, isHealthy: isIssuerHealthy })
  const origin = `http://127.0.0.1:${context.ports.identityProvider}`
  if (wantsKeycloak(context.environment)) return { ...base, ...keycloakComponent(context, origin) }
  const dataDir = join(context.paths.data, 'identity-provider')
  const env = {
    ...nodeEnvironment(context, 'identityProvider'),
    ...appSettings(context),
    ISSUER_ORIGIN: origin,
    DATA_DIR: dataDir,
    SMTP_URL: smtpUrl(context),
  }
  return {
    ...base,
    kind: 'stand-in',
    address: origin,
    dataAt: dataDir,
    env,
    choice: { source: 'local', what: 'the stand-in' },
    local: nodeProgram({
      script: 'deploy/identity-provider/src/server.ts',
      env,
      ports: ['identityProvider'],
      isHealthy: () => respondsOk(`${origin}/readyz`),
      before: () => ensureFolder(dataDir),
    }),
  }
}

/** Issuer under which the BFF and the services know the provider. */
export const issuerUrl = (context: Pick<StackContext, 'environment' | 'ports'>): string =>
  backingUrl(context.environment, 'OIDC_ISSUER')?.replace(/\/+$/, '') ??
  `http://127.0.0.1:${context.ports.identityProvider}/realms/parley`

/** True if the provider publishes the configuration of that issuer. */
const isIssuerHealthy = (issuer: string): Promise<boolean> =>
  respondsOk(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`)

/** Variables that hold each client secret when the provider is not ours. */
const clientSecretVariables = {
  bffWebSecret: 'OIDC_WEB_CLIENT_SECRET',
  bffPasswordSecret: 'OIDC_PASSWORD_CLIENT_SECRET',
  svcIdentitySecret: 'IDENTITY_CLIENT_SECRET',
} as const

/**
 * Returns the secrets of a stack whose provider may be external: its client secrets then come from the environment.
 * @throws Problem naming the variables that are missing.
 */
export function withProviderSecrets(secrets: Secrets, environment: NodeJS.ProcessEnv): Secrets {
  if (!backingUrl(environment, 'OIDC_ISSUER')) return secrets
  const secretsFromEnvironment = Object.entries(clientSecretVariables).map(([name, variable]) => [
    name,
    environment[variable] ?? '',
  ])
  const missing = Object.values(clientSecretVariables).filter((variable) => !environment[variable])
  if (missing.length === 0) return { ...secrets, ...Object.fromEntries(secretsFromEnvironment) }
  throw new Problem(
    'OIDC_ISSUER names an identity provider, but the secrets of its clients are not set.',
    `Set ${missing.join(', ')} too, or unset OIDC_ISSUER.`,
  )
}
