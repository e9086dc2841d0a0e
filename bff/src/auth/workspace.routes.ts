import { authApi } from '@parley/contracts/account/auth-endpoints'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import type { Application } from 'express'
import { createServe } from '../http/endpoint.ts'
import type { AuthDependencies } from './auth.ts'

/** Invitations that a browser follows, and the way from one workspace of a person to another. */
export function mountWorkspace(app: Application, dependencies: AuthDependencies): void {
  const { gate, sessions, limits, callProfile, invitationCookie } = dependencies
  const serve = createServe(app, gate)

  serve(authApi.invitation, async ({ body, req, res }) => {
    await limits.invitation(req.ip ?? '')
    const preview = await callProfile(profileInternalApi.invitationPreview, { body })
    invitationCookie.set(res, body.token)
    return preview
  })

  serve(authApi.workspace, async ({ body, session }) => {
    await sessions.moveTo(session, body.workspaceId)
    return undefined
  })

  serve(authApi.viewAs, async ({ body, session }) => {
    await sessions.viewAs(session, body.role)
    return undefined
  })
}
