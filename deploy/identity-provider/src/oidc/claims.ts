import type { User } from '../store/users.ts'

/** Returns the claims about a person in tokens and userinfo, under Keycloak's names; absent where the account has no value. */
export function userClaims(user: User) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return {
    email_verified: user.emailVerified,
    preferred_username: user.email,
    email: user.email,
    ...(name !== '' && { name }),
    ...(user.firstName && { given_name: user.firstName }),
    ...(user.lastName && { family_name: user.lastName }),
    ...(user.picture && { picture: user.picture }),
  }
}
