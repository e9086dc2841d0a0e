import { processes, type UrlVariable, urlVariable } from '@parley/processes/processes'
import { cellsConfigShape } from '@parley/service-kit/core/cells'
import { clientSecretsSchema } from '@parley/service-kit/core/client-secrets'
import { baseConfigShape, httpUrlSchema, originSchema } from '@parley/service-kit/core/config'
import { signingConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { redisUrlSchema } from '@parley/service-kit/core/redis-address'
import { z } from 'zod'

const count = (fallback: number, what: string) => z.coerce.number().int().min(1).default(fallback).describe(what)

const { calls } = processes.bff
/** `<NAME>_URL` of each service that the BFF calls. */
const serviceUrls = Object.fromEntries(
  calls.map((name) => [
    urlVariable(name),
    httpUrlSchema.describe(`Base URL of the ${processes[name].label.toLowerCase()}.`),
  ]),
) as Record<UrlVariable<(typeof calls)[number]>, typeof httpUrlSchema>

/** Every setting of the BFF. No default stands in for a secret. */
export const configSchema = z.object({
  ...baseConfigShape,
  MANAGEMENT_PORT: z.coerce.number().int().min(0).max(65535).describe('Port of /metrics and of the internal key set.'),
  PUBLIC_ORIGIN: originSchema.describe('Origin which browsers use; cookies, redirects and mail links follow it.'),
  AUTHORIZED_DOMAINS: z
    .string()
    .default('')
    .describe('Comma-separated domains that may start a sign-in; that of PUBLIC_ORIGIN where empty.'),
  TRUST_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0).describe('Proxies in front, for the client IP.'),
  REDIS_URL: redisUrlSchema.describe('Sessions and rate limits.'),
  OIDC_ISSUER: httpUrlSchema.describe('Issuer of the identity provider: https://id.example.com/realms/parley.'),
  OIDC_INTERNAL_ISSUER: httpUrlSchema
    .optional()
    .describe('The same realm as this process reaches it, where that differs from the issuer.'),
  OIDC_WEB_CLIENT_ID: z.string().min(1).default('bff-web').describe('Client of the code flow.'),
  OIDC_WEB_CLIENT_SECRET: clientSecretsSchema.describe(
    'Its secret; old and new, separated by a space, while it changes.',
  ),
  PASSWORD_SIGN_IN: z
    .enum(['direct', 'hosted'])
    .default('direct')
    .describe('Where passwords are entered: on our own form, or on the page of the identity provider.'),
  OIDC_PASSWORD_CLIENT_ID: z.string().min(1).default('bff-password').describe('Client of the password grant.'),
  OIDC_PASSWORD_CLIENT_SECRET: clientSecretsSchema.describe(
    'Its secret; old and new, separated by a space, while it changes.',
  ),
  SESSION_KEYS: keyRingSchema.describe('Server part of the session encryption keys: name:base64 pairs.'),
  ...signingConfigShape,
  ...serviceUrls,
  ...cellsConfigShape,
  STATIC_DIR: z.string().min(1).describe('Folder of the built frontend.'),
  PHOTO_HOSTS: z
    .string()
    .default('https://*.googleusercontent.com')
    .describe('Space-separated hosts from which photos may be shown.'),
  SESSION_IDLE_SECONDS: count(12 * 3600, 'A session ends after this long without use.'),
  SESSION_ABSOLUTE_SECONDS: count(7 * 24 * 3600, 'A session ends this long after sign-in.'),
  SESSION_UNVERIFIED_SECONDS: count(24 * 3600, 'The same for a password account with an unverified e-mail.'),
  SESSION_CACHE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(5000)
    .default(1000)
    .describe('A session in use is kept in memory for this long, unless Redis tells of a change; 0: never.'),
  SESSIONS_PER_USER: count(20, 'The oldest session ends when a user has more.'),
  LIMIT_SIGN_IN_PER_MINUTE_PER_IP: count(60, 'Password sign-ins a minute from one IP.'),
  LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP: count(5, 'Failed sign-ins in 15 minutes for one e-mail from one IP.'),
  LIMIT_SIGN_IN_FAILURES_PER_EMAIL: count(50, 'Failed sign-ins an hour for one e-mail from anywhere.'),
  LIMIT_SIGN_UP_PER_HOUR_PER_IP: count(30, 'Sign-ups an hour from one IP.'),
  LIMIT_RESEND_INTERVAL_SECONDS: count(30, 'Shortest time between two verification mails to one account.'),
  LIMIT_RESET_PER_HOUR_PER_EMAIL: count(3, 'Password reset mails an hour to one address.'),
  LIMIT_RESET_PER_HOUR_PER_IP: count(30, 'Password reset mails an hour that one IP may ask for.'),
  LIMIT_RESET_PER_HOUR: count(2000, 'Password reset mails an hour, whoever asks.'),
  LIMIT_AUTHORIZE_PER_MINUTE_PER_IP: count(60, "Sign-ins a minute that one IP may begin at the provider's pages."),
  LIMIT_CALLS_PER_MINUTE_PER_KEY: count(600, 'Calls of the public API in a minute with one key.'),
  LIMIT_CALLS_PER_SECOND_PER_KEY: count(50, 'The same in a second, counted by each process.'),
  LIMIT_CALLS_PER_MINUTE_PER_WORKSPACE: count(
    1200,
    'Calls of the public API in a minute with all keys of a workspace.',
  ),
  LIMIT_FAILED_KEYS_PER_MINUTE_PER_IP: count(20, 'Calls with keys that are not valid in a minute from one IP.'),
  LIMIT_AUTHORIZE_PER_MINUTE: count(6000, "Sign-ins a minute begun at the provider's pages, whoever begins them."),
})
export type Config = z.infer<typeof configSchema>
