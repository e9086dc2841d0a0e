import { passwordMaxLength, passwordMinLength } from '@parley/contracts/account/auth'
import { baseConfigShape, originSchema } from '@parley/service-kit/core/config'
import { z } from 'zod'

const secretSchema = z.string().min(16, 'must have at least 16 characters').max(256)

const wholeNumber = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** The environment of the local identity provider. */
export const configSchema = z.object({
  ...baseConfigShape,
  ISSUER_ORIGIN: originSchema.describe('Origin under which browsers and services reach this process; part of `iss`.'),
  DATA_DIR: z.string().min(1).describe('Folder for accounts, sessions and signing keys.'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp URL' }).describe('Where mails go.'),
  PUBLIC_ORIGIN: originSchema.describe('Origin of the app: the only place that sign-in and mail links lead back to.'),
  BFF_WEB_SECRET: secretSchema.describe('Secret of the client bff-web.'),
  BFF_PASSWORD_SECRET: secretSchema.describe('Secret of the client bff-password.'),
  SVC_IDENTITY_SECRET: secretSchema.describe('Secret of the client svc-identity.'),
  PASSWORD_MIN_LENGTH: wholeNumber(passwordMinLength, passwordMaxLength, passwordMinLength).describe(
    'Characters that a new password has at least.',
  ),
  TOKEN_LIFESPAN_SECONDS: wholeNumber(100, 3600, 300).describe(
    'Life of access and ID tokens; a load test shortens it to see them renewed.',
  ),
  BACKCHANNEL_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .describe('Where a logout token is posted when a session ends.'),
})

export type Config = z.infer<typeof configSchema>
