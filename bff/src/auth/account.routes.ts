import type { Credentials } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { identityApi } from '@parley/contracts/account/identity'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Application, Request } from 'express'
import { createServe } from '../http/endpoint.ts'
import { visitorOf } from '../http/visitor.ts'
import { isFresh, isUnverified, notConfirmed, type Session } from '../session/session-record.ts'
import { guard } from '../session/session-store.ts'
import type { AuthDependencies } from './auth.ts'

/** Maximum resets under way: far more than the limits admit while the identity service answers. An omitted one is not reported. */
const resetsAtOnce = 50

/** Mounts sign-up, verification of the address and password reset. */
export function mountAccount(app: Application, dependencies: AuthDependencies): void {
  const { cookie, gate, sessions, provider, callIdentity, callProfile, limits, logger, passwordSignIn, resets } =
    dependencies
  const { invitationCookie, store } = dependencies
  const serve = createServe(app, gate)
  const reload = createReload(dependencies)
  let resetsUnderWay = 0

  serve(authApi.signUp, async ({ body, req, res }) => {
    await limits.signUp(req.ip ?? '')
    const invitation = await invitationFor(req, body.email)
    const { sub } = await createAccount(body, { emailVerified: invitation !== undefined })
    if (invitation === undefined) {
      sendVerification(sub).catch((error: unknown) =>
        logger.warn({ err: error }, 'the first verification mail was not sent'),
      )
    }
    if (passwordSignIn === 'hosted') return { email: body.email, signedIn: false }
    const session = await signInNewAccount(body, req, invitation)
    cookie.set(res, session.secret)
    if (invitation !== undefined) invitationCookie.clear(res)
    return { email: body.email, signedIn: true }
  })

  serve(authApi.deleteAccount, async ({ body, session, res }) => {
    if (!isFresh(session)) throw notConfirmed()
    const { iss, sub, email } = session.hot.claims
    if (body.email.toLowerCase() !== email.toLowerCase())
      throw errors.validation({ email: `Type the address of your account: ${email}.` })
    const account = { iss, sub }
    const end = async () => {
      await callProfile(profileInternalApi.deletePerson, { body: account })
      await store.destroyBy(account)
    }
    // The first is what may be refused.
    await end()
    cookie.clear(res)
    try {
      await callIdentity(identityApi.endAccount, { params: { sub }, body: { how: 'delete' } })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'account_not_found') throw error
    } finally {
      // A sign-in meanwhile, or a call from another page, has made the person anew.
      await store.destroyBy(account)
      await end()
    }
    return undefined
  })

  serve(authApi.verificationEmail, async ({ session }) => {
    if (!isUnverified(session.hot.claims)) throw new AppError('already_verified', 'This address is verified already.')
    await limits.resend(session.hot.claims.sub)
    await sendVerification(session.hot.claims.sub)
    return undefined
  })

  serve(authApi.reload, async ({ session }) => ({ emailVerified: await reload(session) }), { countsAsUse: false })

  serve(authApi.passwordReset, async ({ body, req }) => {
    // The work continues behind the answer, so that neither its time nor its outcome tells whether the address is known.
    if (resetsUnderWay >= resetsAtOnce) logger.warn('a password reset is left out: too many are under way')
    else void resetPassword(req.ip ?? '', body.email)
    return undefined
  })

  /** Creates an account. Whatever is wrong with one that could not be made, the answer must not tell who has one. */
  async function createAccount(credentials: Credentials, { emailVerified }: { emailVerified: boolean }) {
    return callIdentity(identityApi.createAccount, { body: { ...credentials, emailVerified } }).catch(
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error
        if (error.code.startsWith('password_')) throw errors.validation({ password: error.message })
        if (error.code === 'email_invalid') throw errors.validation({ email: error.message })
        if (error.code === 'account_exists') throw new AppError('sign_up_failed', 'Failed to create account')
        throw error
      },
    )
  }

  /**
   * The token of the invitation that this browser has followed, if it is open and for this address: its mail came by that mailbox,
   * so that the address is proven.
   */
  async function invitationFor(req: Request, email: string): Promise<string | undefined> {
    const token = invitationCookie.read(req)
    if (token === undefined) return undefined
    const preview = await callProfile(profileInternalApi.invitationPreview, { body: { token } }).catch(
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'invitation_ended') return undefined
        throw error
      },
    )
    return preview?.email === email ? token : undefined
  }

  async function signInNewAccount(
    { email, password }: Credentials,
    req: Request,
    invitation: string | undefined,
  ): Promise<Session> {
    const tokens = await provider.passwordGrant(email, password).catch((cause: unknown) => {
      throw new AppError('identity_provider_unavailable', 'Your account was created. Sign in to continue.', { cause })
    })
    const previous = await gate.find(req)
    return sessions.start({ client: 'password', tokens, previous, visitor: visitorOf(req), invitation })
  }

  const sendVerification = (sub: string) => callIdentity(identityApi.sendVerification, { params: { sub } })

  async function resetPassword(ip: string, email: string): Promise<void> {
    resetsUnderWay += 1
    try {
      if (!(await limits.reset(ip, email))) return
      await resets.noteMail(email)
      await callIdentity(identityApi.sendPasswordReset, { body: { email } })
    } catch (error) {
      logger.warn({ err: error }, 'a reset mail was not sent')
    } finally {
      resetsUnderWay -= 1
    }
  }
}

const askEveryMs = 2000

/**
 * Checks whether the session's address is verified by now: asks the provider live, at most once in two seconds per session,
 * however many tabs poll. Once it is, the session's tokens are renewed so that they say so too.
 */
function createReload({ redis, refresh, sessions, provider }: AuthDependencies) {
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
