import { identityApi } from '@parley/contracts/account/identity'
import type { Session } from '../session/session-record.ts'
import type { AuthDependencies } from './auth.ts'

/** Ends sessions of an account elsewhere: here at once, and at the provider. */
export function createOtherSessions({ store, callIdentity, logger }: AuthDependencies) {
  /** The session is over for us already; the provider's part must not turn that into an error. */
  async function endAtProvider(sub: string, sid: string): Promise<void> {
    await callIdentity(identityApi.endSession, { params: { sub }, body: { sid } }).catch((error: unknown) =>
      logger.warn({ err: error }, 'a session lives on at the provider until it idles out'),
    )
  }

  /** Ends all sessions of the account but this one. */
  async function endOthers(session: Session): Promise<void> {
    const { claims } = session.hot
    const others = (await store.list(claims)).filter(({ key }) => key !== session.key)
    await store.destroyBy({ iss: claims.iss, sub: claims.sub }, { except: session.key })
    const sids = others.flatMap(({ sid }) => (sid && sid !== claims.sid ? [sid] : []))
    await Promise.all(sids.map((sid) => endAtProvider(claims.sub, sid)))
  }

  return { endAtProvider, endOthers }
}
