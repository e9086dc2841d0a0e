import { authApi } from '@parley/contracts/auth'
import { AppError } from '@parley/service-kit/core/errors'
import type { Application } from 'express'
import { serve } from '../http/endpoint.ts'
import type { AuthDependencies } from './auth.ts'

/** The page's project (specification section 7) and its optional token sync. */
export function mountProjects(app: Application, { authorizedDomains, gate, sessions, cookie }: AuthDependencies): void {
  serve(app, authApi.projects, async ({ query }) => {
    if (query.key?.includes(':')) throw new AppError('invalid_api_key', 'The API key must not contain a colon.')
    return { projectId: 'parley', authorizedDomains: [...authorizedDomains] }
  })

  serve(app, authApi.tokenSync, async ({ req, res }) => {
    await gate.requireAlive(req, res, { bearer: true })
    return undefined
  })

  serve(app, authApi.tokenSyncEnd, async ({ req, res }) => {
    const session = await gate.find(req)
    if (session) await sessions.end(session)
    cookie.clear(res)
    return undefined
  })
}
