import { jwtVerify } from 'jose'
import { z } from 'zod'
import type { Keys } from '../keys.ts'
import type { RealmConfig } from '../realm-config.ts'
import type { Session, SessionStore } from '../store/sessions.ts'
import type { User, UserStore } from '../store/users.ts'

const accessClaims = z.object({
  sub: z.string(),
  azp: z.string(),
  sid: z.string().optional(),
  scope: z.string().optional(),
})

export type AccessTokens = ReturnType<typeof createAccessTokens>

/** Reads access tokens of this realm and says what stands behind them now. */
export function createAccessTokens(deps: {
  issuer: string
  realm: RealmConfig
  keys: Pick<Keys, 'verify'>
  users: Pick<UserStore, 'find'>
  sessions: Pick<SessionStore, 'find'>
}) {
  /** @returns the claims of a genuine token that has not expired, whatever became of its session */
  async function verify(token: string) {
    try {
      const options = { issuer: deps.issuer, audience: 'account', algorithms: ['RS256'], typ: 'at+jwt' }
      const { payload } = await jwtVerify(token, deps.keys.verify, options)
      return { payload, claims: accessClaims.parse(payload) }
    } catch {
      return undefined
    }
  }

  /** @returns the person behind a user's token, as long as the session lives and the account is enabled */
  async function userOf(token: string): Promise<{ user: User; session: Session; scope: string } | undefined> {
    const verified = await verify(token)
    if (!verified?.claims.sid) return undefined
    const session = deps.sessions.find(verified.claims.sid)
    const user = session && deps.users.find(session.userId)
    if (!session || !user?.enabled) return undefined
    return { user, session, scope: verified.claims.scope ?? '' }
  }

  /** @returns the roles over users that the token's service account has; undefined where the token is not genuine */
  async function adminRolesOf(token: string): Promise<readonly string[] | undefined> {
    const verified = await verify(token)
    if (!verified) return undefined
    // A person's token names the client too, but its subject is the person.
    if (verified.claims.sub !== verified.claims.azp) return []
    return deps.realm.clients.find((client) => client.clientId === verified.claims.azp)?.adminRoles ?? []
  }

  return { verify, userOf, adminRolesOf }
}
