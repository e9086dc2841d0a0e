import { authApi, type Credentials } from '@parley/contracts/auth'
import { identityApi } from '@parley/contracts/identity'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Application, Request } from 'express'
import { serve } from '../http/endpoint.ts'
import { visitorOf } from '../http/visitor.ts'
import { isUnverified, type Session } from '../session/session-record.ts'
import type { AuthDependencies } from './auth.ts'
import { createReload } from './reload.ts'

/** Sign-up, verification of the address and password reset. */
export function mountAccount(app: Application, dependencies: AuthDependencies): void {
  const { cookie, gate, sessions, provider, callIdentity, limits, logger, passwordSignIn } = dependencies
  const reload = createReload(dependencies)

  serve(app, authApi.signUp, async ({ body, req, res }) => {
    await limits.signUp(req.ip ?? '')
    const { sub } = await createAccount(body)
    sendVerification(sub).catch((error: unknown) =>
      logger.warn({ err: error }, 'the first verification mail was not sent'),
    )
    if (passwordSignIn === 'hosted') return { email: body.email, signedIn: false }
    const session = await signInNewAccount(body, req)
    cookie.set(res, session.secret)
    return { email: body.email, signedIn: true }
  })

  serve(app, authApi.verificationEmail, async ({ req }) => {
    const session = await signedIn(req)
    if (!isUnverified(session.hot.claims)) throw new AppError('already_verified', 'This address is verified already.')
    await limits.resend(session.hot.claims.sub)
    await sendVerification(session.hot.claims.sub)
    return undefined
  })

  serve(app, authApi.reload, async ({ req }) => ({ emailVerified: await reload(await signedIn(req)) }))

  serve(app, authApi.passwordReset, async ({ body }) => {
    // The work goes on behind the answer, so that neither its time nor its outcome tells whether the address is known.
    void resetPassword(body.email).catch((error: unknown) => logger.warn({ err: error }, 'a reset mail was not sent'))
    return undefined
  })

  /** Whatever is wrong with an account that could not be made, the answer must not tell who has one. */
  async function createAccount(credentials: Credentials) {
    return callIdentity(identityApi.createAccount, { body: credentials }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'password_too_short') throw errors.validation({ password: error.message })
      if (error.code === 'email_invalid') throw errors.validation({ email: error.message })
      if (error.code === 'account_exists') throw new AppError('sign_up_failed', 'Failed to create account')
      throw error
    })
  }

  async function signInNewAccount({ email, password }: Credentials, req: Request): Promise<Session> {
    const tokens = await provider.passwordGrant(email, password).catch((cause: unknown) => {
      throw new AppError('identity_provider_unavailable', 'Your account was created. Sign in to continue.', { cause })
    })
    return sessions.start({ client: 'password', tokens, previous: await gate.find(req), visitor: visitorOf(req) })
  }

  const sendVerification = (sub: string) => callIdentity(identityApi.sendVerification, { params: { sub } })

  async function resetPassword(email: string): Promise<void> {
    if (await limits.reset(email)) await callIdentity(identityApi.sendPasswordReset, { body: { email } })
  }

  async function signedIn(req: Request): Promise<Session> {
    const session = await gate.find(req)
    if (!session) throw errors.unauthenticated()
    return session
  }
}
