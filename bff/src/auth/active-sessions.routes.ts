import { authApi } from '@parley/contracts/account/auth-endpoints'
import { errors } from '@parley/service-kit/core/errors'
import type { Application } from 'express'
import { createServe } from '../http/endpoint.ts'
import { visitorOf } from '../http/visitor.ts'
import { hasContext } from '../session/session-record.ts'
import type { AuthDependencies } from './auth.ts'
import { createOtherSessions } from './other-sessions.ts'

/** Lists where an account is signed in, and ends it there: here at once, and at the provider. */
export function mountActiveSessions(app: Application, dependencies: AuthDependencies): void {
  const { gate, store, noteSignIn } = dependencies
  const { endAtProvider, endOthers } = createOtherSessions(dependencies)
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

  serve(authApi.endSession, async ({ params, req, session }) => {
    const { hot } = session
    const target = (await store.list(hot.claims)).find(({ publicId }) => publicId === params.id)
    if (!target) throw errors.notFound('This session has ended already.')
    await store.destroyListed(hot.claims, target.key)
    if (target.sid) await endAtProvider(hot.claims.sub, target.sid)
    if (hasContext(session)) noteSignIn('auth.endSessions', session.hot.context, visitorOf(req))
    return undefined
  })

  serve(authApi.endOtherSessions, async ({ req, session }) => {
    await endOthers(session)
    if (hasContext(session)) noteSignIn('auth.endSessions', session.hot.context, visitorOf(req))
    return undefined
  })
}
