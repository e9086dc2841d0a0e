import { z } from 'zod'
import { permissions, roleSchema } from '../account/permissions.ts'
import { signInProviderSchema } from '../account/profile-internal.ts'

/** `iss` of the tokens that a process signs. */
export const internalTokenIssuer = <Name extends string>(process: Name): `parley-${Name}` => `parley-${process}`
/** Path of a process's public keys, below its management port or, where it has none, its own. */
export const jwksPath = '/internal/jwks.json'
/** `typ` header of an internal token, so that no other JWT passes for one. */
export const internalTokenType = 'parley-internal+jwt'
/** Longest life of an internal token in seconds. */
export const internalTokenMaxSeconds = 120

/** Numbers that one API key can be limited to. */
export const maxKeyNumbers = 20

/** Origin of a call, for the audit log. */
const originClaims = {
  /** Network address of the caller. */
  ip: z.string().max(64).optional(),
  /** Browser and system in words: `Firefox on Windows`. */
  dev: z.string().max(128).optional(),
}

/** Claims of a call made for a signed-in user. What the identity provider says of a person goes to the profile service only. */
export const userTokenClaimsSchema = z.object({
  /** Parley's user id. */
  sub: z.string().regex(/^[0-9a-f]{24}$/),
  /** Workspace id. */
  wid: z.string().regex(/^[0-9a-f]{24}$/),
  role: roleSchema,
  /** Version of the membership that the role was read from. */
  ver: z.number().int().nonnegative().optional(),
  /** Set where `role` is lower than the membership's: its holder looks at the workspace as others see it, and changes nothing. */
  viewing: z.literal(true).optional(),
  /** The BFF alone knows who is signed in. */
  iss: z.literal(internalTokenIssuer('bff')),
  aud: z.string(),
  exp: z.number(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
  provider: signInProviderSchema.optional(),
  /** Time at which the identity provider issued these claims, in seconds since 1970: older ones must not replace newer ones. */
  claims_iat: z.number().optional(),
  ...originClaims,
})
export type UserTokenClaims = z.infer<typeof userTokenClaimsSchema>

/** The same with the claims of the identity provider, as the profile service receives it. */
export const profileTokenClaimsSchema = userTokenClaimsSchema.required({
  email: true,
  email_verified: true,
  provider: true,
})

/** Claims of a call made with an API key of a workspace. */
export const keyTokenClaimsSchema = z.object({
  /** Public id of the key. */
  sub: z.templateLiteral(['key:', z.string()]),
  wid: z.string().regex(/^[0-9a-f]{24}$/),
  scopes: z.array(z.enum(permissions)).max(permissions.length),
  /** Ids of the numbers that the key is limited to; all of the workspace where absent. */
  numbers: z.array(z.string()).max(maxKeyNumbers).optional(),
  ...originClaims,
  /** The BFF alone knows keys. */
  iss: z.literal(internalTokenIssuer('bff')),
  aud: z.string(),
  exp: z.number(),
})
export type KeyTokenClaims = z.infer<typeof keyTokenClaimsSchema>

/** Claims of a call that a Parley process makes on its own: sign-up, reset, session context. A process speaks for itself only. */
export const serviceTokenClaimsSchema = z
  .object({
    sub: z.templateLiteral(['svc:', z.string()]),
    /** Workspace id, where the call is about one. */
    wid: z
      .string()
      .regex(/^[0-9a-f]{24}$/)
      .optional(),
    iss: z.templateLiteral(['parley-', z.string()]),
    aud: z.string(),
    exp: z.number(),
  })
  .refine(({ sub, iss }) => iss === internalTokenIssuer(sub.slice('svc:'.length)), 'signed by another process')
export type ServiceTokenClaims = z.infer<typeof serviceTokenClaimsSchema>
