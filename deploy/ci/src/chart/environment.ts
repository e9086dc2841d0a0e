import { deployedNames } from '@parley/processes/processes'
import { configsOfProcesses } from '../process-configs.ts'
import { find, type Manifest, podsOf } from './render.ts'

/** Settings that the processes themselves require of their environment. */
const configs = await configsOfProcesses()
export const processConfigs = Object.fromEntries(deployedNames.map((name) => [name, configs[name]]))

/** Well-formed stand-ins for what lies in the Secrets of a cluster. */
const secretValues: Readonly<Record<string, string>> = {
  MONGODB_URL: 'mongodb://mongodb:27017/parley_profile',
  REDIS_URL: 'redis://redis:6379',
  SESSION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  INTERNAL_TOKEN_KEYS: '[{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"x","d":"d"}]',
  OIDC_WEB_CLIENT_SECRET: 'a-long-secret',
  OIDC_PASSWORD_CLIENT_SECRET: 'a-long-secret',
  IDENTITY_CLIENT_SECRET: 'a-long-secret',
  SMTP_URL: 'smtps://user:password@smtp.example.com:465',
  AUDIT_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
}

/** The variables with which a component's process would start, those from Secrets with stand-ins. */
export function environmentOf(manifests: readonly Manifest[], component: string): Record<string, string> {
  const { data = {} } = find(manifests, 'ConfigMap', `-${component}`)
  const { pod } = podsOf([find(manifests, 'Deployment', `-${component}`)])[0] ?? {}
  const variables = pod?.containers.flatMap(({ env }) => env) ?? []
  return {
    ...data,
    ...Object.fromEntries(variables.map(({ name, value }) => [name, value ?? secretValues[name] ?? ''])),
  }
}
