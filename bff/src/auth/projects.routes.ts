import { authApi } from '@parley/contracts/account/auth-endpoints'
import { AppError } from '@parley/service-kit/core/errors'
import type { Application } from 'express'
import { createServe } from '../http/endpoint.ts'
import type { AuthDependencies } from './auth.ts'

/** The page's project and its optional token sync. */
export function mountProjects(app: Application, { authorizedDomains, gate, sessions, cookie }: AuthDependencies): void {
  const serve = createServe(app, gate)
  serve(authApi.projects, async ({ query }) => {
    if (query.key?.includes(':')) throw new AppError('invalid_api_key', 'The API key must not contain a colon.')
    return { projectId: 'parley', authorizedDomains: [...authorizedDomains] }
  })

  serve(authApi.tokenSync, async () => undefined)

  serve(authApi.tokenSyncEnd, async ({ req, res }) => {
    const session = await gate.find(req)
    if (session) await sessions.end(session)
    cookie.clear(res)
    return undefined
  })
}
