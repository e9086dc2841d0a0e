import { type IdentityClaims, identityClaimsSchema } from '@parley/contracts/account/auth'

/** Signed-in person, as the identity provider reports. */
export interface Identity {
  readonly uid: string
  readonly email: string
  readonly emailVerified: boolean
  /** `""` if the provider gave none. */
  readonly displayName: string
  readonly photoURL: string
  /** `password`, or the alias of a federated provider such as `google`. */
  readonly provider: string
}

/** Reads an ID token's claims. @returns null if they are not those of a person. */
export function identityOf(profile: unknown): Identity | null {
  const claims = identityClaimsSchema.safeParse(profile)
  return claims.success ? fromClaims(claims.data) : null
}

const fromClaims = (claims: IdentityClaims): Identity => ({
  uid: claims.sub,
  email: claims.email,
  emailVerified: claims.email_verified,
  displayName: claims.name ?? [claims.given_name, claims.family_name].filter(Boolean).join(' '),
  photoURL: claims.picture ?? '',
  provider: claims.identity_provider ?? 'password',
})

/** Returns whether the account has to prove its address: a federated provider has done so. */
export const mustVerifyEmail = (identity: Identity): boolean =>
  identity.provider === 'password' && !identity.emailVerified
