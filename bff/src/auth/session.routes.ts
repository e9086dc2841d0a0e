import type { AuthSession } from '@parley/contracts/account/auth'
import { idTokenMinLifeSeconds } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import type { Application, Request, Response } from 'express'
import { createServe } from '../http/endpoint.ts'
import { visitorOf } from '../http/visitor.ts'
import { hasContext } from '../session/session-record.ts'
import type { AuthDependencies } from './auth.ts'
import { tokenResponse } from './token.routes.ts'

/** Serves the current session and sign-out. */
export function mountSession(
  app: Application,
  { cookie, gate, refresh, sessions, noteSignIn }: AuthDependencies,
): void {
  const serve = createServe(app, gate)
  serve(authApi.session, ({ req, res }) => describe(req, res))

  serve(authApi.signOut, async ({ req, res }) => {
    const session = await gate.find(req)
    if (session) await sessions.end(session)
    if (session && hasContext(session)) noteSignIn('auth.signOut', session.hot.context, visitorOf(req))
    cookie.clear(res)
    // Clears answers that the browser still holds: photos and files of the workspace. Its storage has the theme and no records.
    res.set('Clear-Site-Data', '"cache"')
    return undefined
  })

  async function describe(req: Request, res: Response): Promise<AuthSession> {
    const found = await gate.find(req)
    const session = found && (await refresh.withLife(found, idTokenMinLifeSeconds))
    const tokens = session && (await sessions.tokens(session))
    if (!session || !tokens) {
      if (req.headers.cookie?.includes(cookie.name)) cookie.clear(res)
      return { authenticated: false }
    }
    return { authenticated: true, ...tokenResponse(session, tokens.idToken), claims: session.hot.claims }
  }
}
