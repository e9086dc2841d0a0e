import { clientSecretsSchema } from '@parley/service-kit/core/client-secrets'
import { baseConfigShape, httpUrlSchema, originSchema } from '@parley/service-kit/core/config'
import { trustConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { z } from 'zod'

export const configSchema = z.object({
  ...baseConfigShape,
  ...trustConfigShape,
  OIDC_ISSUER: httpUrlSchema
    .refine((url) => /\/realms\/[^/]+$/.test(url), 'must end in /realms/<name>')
    .describe("The realm; its admin interface is found beside it, under '/admin'."),
  IDENTITY_CLIENT_ID: z.string().min(1).describe('Client with a service account that may manage users.'),
  IDENTITY_CLIENT_SECRET: clientSecretsSchema.describe(
    "That client's secret; old and new, separated by a space, while it changes.",
  ),
  MAIL_LINK_CLIENT_ID: z.string().min(1).describe('Client whose redirect URIs allow the targets of mail links.'),
  PUBLIC_ORIGIN: originSchema.describe('Where people open the app; mail links lead back to it.'),
})
export type Config = z.infer<typeof configSchema>
