import { authApi } from '@parley/contracts/account/auth-endpoints'
import { identityApi } from '@parley/contracts/account/identity'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Application, Request } from 'express'
import { createServe } from '../http/endpoint.ts'
import { visitorOf } from '../http/visitor.ts'
import { GrantRefused } from '../provider/provider-client.ts'
import { type Session, signInProvider } from '../session/session-record.ts'
import type { AuthDependencies } from './auth.ts'
import { createOtherSessions } from './other-sessions.ts'

/** Mounts the change of a password, and its confirmation before something that cannot be undone. */
export function mountPassword(app: Application, dependencies: AuthDependencies): void {
  const { gate, sessions, provider, limits, resets, callIdentity, callProfile, passwordSignIn, logger } = dependencies
  const { noteSignIn } = dependencies
  const serve = createServe(app, gate)
  const { endOthers } = createOtherSessions(dependencies)

  serve(authApi.confirm, async ({ body, session, req }) => {
    await checkPassword(session, body.password, req)
    await sessions.confirm(session)
    return undefined
  })

  serve(authApi.password, async ({ body, session, req }) => {
    await checkPassword(session, body.current, req)
    const { sub } = session.hot.claims
    await callIdentity(identityApi.setPassword, { params: { sub }, body: { password: body.next } }).catch(refused)
    await endOthers(session)
    const { hot } = await sessions.withContext(session)
    noteSignIn('auth.changePassword', hot.context, visitorOf(req))
    await callProfile(profileInternalApi.passwordChanged, { body: { userId: hot.context.userId } }).catch(
      (error: unknown) => logger.warn({ err: error }, 'the mail about a changed password was not ordered'),
    )
    return undefined
  })

  /**
   * Has the provider check the password of the session's account, under the limits of signing in.
   * @throws `password_wrong`, `rate_limited`; `wrong_state` where passwords are not entered here.
   */
  async function checkPassword({ hot: { claims } }: Session, password: string, req: Request): Promise<void> {
    if (passwordSignIn === 'hosted' || signInProvider(claims) !== 'password') throw notHere()
    const attempt = await limits.signIn(req.ip ?? '', claims.email)
    await resets.settle(claims.email)
    const tokens = await provider.passwordGrant(claims.email, password).catch(async (error: unknown) => {
      if (error instanceof GrantRefused && error.reason === 'invalid_grant')
        throw new AppError('password_wrong', 'That is not your password.')
      await attempt.undecided()
      throw error instanceof GrantRefused ? notHere() : error
    })
    await attempt.succeeded()
    // The password was only checked: nobody has signed in.
    await provider.endSession('password', tokens.refreshToken).catch((error: unknown) => {
      logger.warn({ err: error }, 'the session of a checked password lives on at the provider until it idles out')
    })
  }
}

function refused(error: unknown): never {
  if (error instanceof AppError && error.code.startsWith('password_')) throw errors.validation({ next: error.message })
  throw error
}

const notHere = () =>
  errors.wrongState('Your password is kept by the page that you sign in with. Use the reset link to change it.')
