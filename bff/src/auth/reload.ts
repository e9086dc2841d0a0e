import { errors } from '@parley/service-kit/core/errors'
import { isUnverified, type Session } from '../session/session-record.ts'
import { guard } from '../session/session-store.ts'
import type { AuthDependencies } from './auth.ts'

const askEveryMs = 2000

/**
 * Checks whether the session's address is verified by now: asks the provider live, at most once in two seconds per session,
 * however many tabs poll. Once it is, the session's tokens are renewed so that they say so too.
 */
export function createReload({ redis, refresh, sessions, provider }: AuthDependencies) {
  return async function reload(asked: Session): Promise<boolean> {
    if (!isUnverified(asked.hot.claims)) return true
    const mayAsk = await guard(() => redis.set(`s:{${asked.key}}:poll`, '1', 'PX', askEveryMs, 'NX'))
    if (mayAsk !== 'OK') return false
    const session = await refresh.withLife(asked, 5)
    const tokens = session && (await sessions.tokens(session))
    if (!session || !tokens) throw errors.unauthenticated()
    const { emailVerified } = await provider.userInfo(session.hot.client, tokens.accessToken, session.hot.claims.sub)
    if (!emailVerified) return false
    const renewed = await refresh.renewed(session)
    return renewed !== undefined && !isUnverified(renewed.hot.claims)
  }
}
