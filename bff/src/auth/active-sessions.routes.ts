import { authApi } from '@parley/contracts/account/auth'
import { identityApi } from '@parley/contracts/account/identity'
import { errors } from '@parley/service-kit/core/errors'
import type { Application } from 'express'
import { createServe } from '../http/endpoint.ts'
import type { AuthDependencies } from './auth.ts'

/** Lists where an account is signed in, and ends it there: here at once, and at the provider. */
export function mountActiveSessions(app: Application, dependencies: AuthDependencies): void {
  const { gate, store, callIdentity, logger } = dependencies
  const serve = createServe(app, gate)

  serve(authApi.sessions, async ({ session }) => {
    const listed = await store.list(session.hot.claims)
    return {
      sessions: listed.map(({ key, publicId, device, ip, createdAt, lastSeenAt }) => ({
        id: publicId,
        device,
        ip,
        createdAt: new Date(createdAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
        current: key === session.key,
      })),
    }
  })

  serve(authApi.endSession, async ({ params, session: { hot } }) => {
    const target = (await store.list(hot.claims)).find(({ publicId }) => publicId === params.id)
    if (!target) throw errors.notFound('This session has ended already.')
    await store.destroyListed(hot.claims, target.key)
    if (target.sid) await endAtProvider(hot.claims.sub, target.sid)
    return undefined
  })

  serve(authApi.endOtherSessions, async ({ session }) => {
    const { claims } = session.hot
    const others = (await store.list(claims)).filter(({ key }) => key !== session.key)
    await store.destroyBy({ iss: claims.iss, sub: claims.sub }, { except: session.key })
    const sids = others.flatMap(({ sid }) => (sid && sid !== claims.sid ? [sid] : []))
    await Promise.all(sids.map((sid) => endAtProvider(claims.sub, sid)))
    return undefined
  })

  /** The session is over for us already; the provider's part must not turn that into an error. */
  async function endAtProvider(sub: string, sid: string): Promise<void> {
    await callIdentity(identityApi.endSession, { params: { sub }, body: { sid } }).catch((error: unknown) =>
      logger.warn({ err: error }, 'a session lives on at the provider until it idles out'),
    )
  }
}
