import { z } from 'zod'
import { httpUrlSchema } from './config.ts'

/** A private Ed25519 JWK (RFC 8037) with its key id. */
export const signingKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string().min(1),
})
export type SigningKey = z.infer<typeof signingKeySchema>

const hasTwice = (names: readonly string[]) => new Set(names).size < names.length

const internalTokenKeysSchema = z.string().transform((text, context) => {
  try {
    const keys = z.array(signingKeySchema).min(1).safeParse(JSON.parse(text))
    if (keys.success) {
      if (hasTwice(keys.data.map(({ kid }) => kid)))
        context.addIssue({ code: 'custom', message: 'has two keys with one kid: a new key needs a new kid' })
      return keys.data
    }
  } catch {
    // The refinement below reports that the text is not JSON.
  }
  context.addIssue({ code: 'custom', message: 'must be a JSON array of private Ed25519 JWKs, each with a kid' })
  return z.NEVER
})

const trustedIssuersSchema = z.string().transform((text, context) => {
  const entries = text.split(',').map((entry) => {
    const [, process = '', url = ''] = /^\s*([a-z][a-z0-9-]*)=(.*)$/.exec(entry) ?? []
    return { process, jwksUrl: httpUrlSchema.safeParse(url.trim()).data ?? '' }
  })
  if (entries.some(({ process, jwksUrl }) => process === '' || jwksUrl === ''))
    context.addIssue({ code: 'custom', message: 'must be process=url pairs, separated by commas' })
  else if (hasTwice(entries.map(({ process }) => process)))
    context.addIssue({ code: 'custom', message: 'names a process twice' })
  return entries
})

/** Setting of a process that calls others. */
export const signingConfigShape = {
  INTERNAL_TOKEN_KEYS: internalTokenKeysSchema.describe(
    "Private keys that sign calls to other processes, its own and no other's: JSON array of JWKs.",
  ),
}

/** Setting of a process that others call. */
export const trustConfigShape = {
  INTERNAL_ISSUERS: trustedIssuersSchema.describe(
    'Processes whose tokens are accepted, each with the address of its public keys: bff=http://bff:3001/internal/jwks.json,…',
  ),
}
