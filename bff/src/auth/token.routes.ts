import {
  cookieSentinel,
  emailSchema,
  facadeClientId,
  passwordMaxLength,
  type TokenResponse,
  tokenPath,
} from '@parley/contracts/account/auth'
import { addressGroup } from '@parley/service-kit/core/address-group'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { type Application, type NextFunction, type Request, type Response, urlencoded } from 'express'
import { z } from 'zod'
import { visitorOf } from '../http/visitor.ts'
import { GrantRefused } from '../provider/provider-client.ts'
import type { Session } from '../session/session-record.ts'
import { lifeOf } from '../session/session-refresh.ts'
import type { AuthDependencies } from './auth.ts'

const grantedScope = 'openid profile email'

const passwordRequestSchema = z.object({
  client_id: z.literal(facadeClientId),
  username: emailSchema,
  password: z.string().min(1).max(passwordMaxLength),
})

const codeRequestSchema = z.object({
  client_id: z.literal(facadeClientId),
  code: z.string().max(100),
  code_verifier: z.string().min(43).max(128),
  redirect_uri: z.string().max(300),
})

/** An error answer of the token endpoint (RFC 6749 section 5.2). */
class TokenError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, description: string) {
    super(description)
    this.name = 'TokenError'
    this.status = status
    this.code = code
  }
}

/** The page answers it by going to the provider's own login page (decision record on the password grant). */
const interactionRequired = () =>
  new TokenError(400, 'interaction_required', "Continue signing in on the identity provider's page.")

const wrongCredentials = () => new TokenError(400, 'invalid_grant', 'Invalid email or password')

/** `POST /auth/token`: the token endpoint that the page's OIDC library speaks to. RFC 6749 JSON on every status. */
export function mountToken(
  app: Application,
  {
    cookie,
    gate,
    provider,
    sessions,
    limits,
    resets,
    codes,
    passwordSignIn,
    pseudonym,
    invitationCookie,
    noteSignIn,
  }: AuthDependencies,
): void {
  app.all(tokenPath, (req, res, next) => {
    res.locals.operation = 'auth.token'
    if (req.method === 'POST') return next()
    res.set('Allow', 'POST')
    return next(new TokenError(405, 'invalid_request', 'Use POST here.'))
  })
  app.post(tokenPath, urlencoded({ extended: false, limit: '16kb', parameterLimit: 20 }), async (req, res) => {
    const form = z.record(z.string(), z.string()).safeParse(req.body ?? {})
    if (!form.success) throw new TokenError(400, 'invalid_request', 'Send the parameters as a form, each once.')
    const session = await signIn(req, res, form.data)
    const { idToken } = await tokensOf(session)
    res.json(tokenResponse(session, idToken))
  })
  app.use(tokenPath, tokenErrorHandler)

  async function signIn(req: Request, res: Response, form: Record<string, string>): Promise<Session> {
    if (form['grant_type'] === 'authorization_code') return redeem(req, form)
    if (form['grant_type'] !== 'password')
      throw new TokenError(400, 'unsupported_grant_type', 'This grant is not offered.')
    const session = await signInByPassword(req, form)
    cookie.set(res, session.secret)
    return session
  }

  /** The code of the handler page: the session has begun at the callback, here its page gets to know it. */
  async function redeem(req: Request, form: Record<string, string>): Promise<Session> {
    const request = codeRequestSchema.safeParse(form)
    const session = request.success ? await gate.find(req) : undefined
    const good =
      request.success &&
      session !== undefined &&
      (await codes.redeem(request.data.code, {
        sessionKey: session.key,
        verifier: request.data.code_verifier,
        redirectUri: request.data.redirect_uri,
      }))
    if (!good) throw new TokenError(400, 'invalid_grant', 'This sign-in has ended. Start again.')
    return session
  }

  async function signInByPassword(req: Request, form: Record<string, string>): Promise<Session> {
    const request = passwordRequestSchema.safeParse(form)
    if (!request.success) {
      const aboutClient = request.error.issues.some((issue) => issue.path[0] === 'client_id')
      throw aboutClient ? new TokenError(401, 'invalid_client', 'This client is not known here.') : wrongCredentials()
    }
    const { username, password } = request.data
    if (passwordSignIn === 'hosted') throw interactionRequired()
    const attempt = await limits.signIn(req.ip ?? '', username).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'rate_limited') noteRefusal(req, username)
      throw error
    })
    await resets.settle(username)
    const tokens = await provider.passwordGrant(username, password).catch(async (error: unknown) => {
      if (!(error instanceof GrantRefused)) {
        await attempt.undecided()
        throw error
      }
      if (error.reason === 'invalid_grant') {
        noteRefusal(req, username)
        noteSignIn('auth.signInFailed', { email: username }, visitorOf(req))
        throw wrongCredentials()
      }
      // The password was right: the provider gives this answer to no one else.
      await attempt.succeeded()
      throw interactionRequired()
    })
    await attempt.succeeded()
    const [previous, invitation] = [await gate.find(req), invitationCookie.read(req)]
    return sessions.start({ client: 'password', tokens, previous, visitor: visitorOf(req), invitation })
  }

  /** Notes a refusal for the request's log line: operators see guessing, at how many accounts and from how many networks. */
  function noteRefusal({ ip = '', res }: Request, username: string): void {
    if (res) res.locals.refusedSignIn = { account: pseudonym(username), network: pseudonym(addressGroup(ip)) }
  }

  async function tokensOf(session: Session) {
    const tokens = await sessions.tokens(session)
    if (!tokens) throw errors.sessionStoreUnavailable()
    return tokens
  }
}

/** The success body, with the sentinel where a library expects an access token. */
export const tokenResponse = (session: Session, idToken: string): TokenResponse => ({
  id_token: idToken,
  access_token: cookieSentinel,
  token_type: 'Bearer',
  scope: grantedScope,
  expires_in: lifeOf(session),
})

/** Maps our codes to those of RFC 6749, so that an OIDC library can read every answer. */
function tokenErrorHandler(raw: unknown, _req: Request, res: Response, _next: NextFunction) {
  res.locals.problem = raw
  const error = raw instanceof TokenError ? raw : fromAppError(raw)
  if (raw instanceof AppError && raw.retryAfterSeconds) res.set('Retry-After', String(raw.retryAfterSeconds))
  res.status(error.status).json({ error: error.code, error_description: error.message })
}

function fromAppError(raw: unknown): TokenError {
  if (raw instanceof AppError) {
    const word = raw.status >= 500 || raw.status === 429 ? 'temporarily_unavailable' : 'invalid_request'
    return new TokenError(raw.status, word, raw.message)
  }
  const status = z.object({ status: z.number().min(400).max(499) }).safeParse(raw)
  if (status.success) return new TokenError(status.data.status, 'invalid_request', 'The request could not be read.')
  const { message } = errors.internal()
  return new TokenError(500, 'server_error', message)
}
