import { authorizePath, facadeClientId, handlerPath } from '@parley/contracts/account/auth'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Application, Request, Response } from 'express'
import { z } from 'zod'
import { visitorOf } from '../http/visitor.ts'
import { GrantRefused } from '../provider/provider-client.ts'
import type { CodeFlowOutcome } from '../session/session-metrics.ts'
import type { AuthDependencies } from './auth.ts'
import { isAuthorizedDomain } from './authorized-domains.ts'
import type { Transaction } from './transactions.ts'

const callbackPath = '/auth/callback'

const authorizeSchema = z.object({
  response_type: z.literal('code'),
  client_id: z.literal(facadeClientId),
  redirect_uri: z.string().max(300),
  state: z.string().min(1).max(512),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
  provider: z.literal('google').optional(),
  login_hint: z.string().max(254).optional(),
  prompt: z.enum(['login', 'select_account']).optional(),
})
const callbackSchema = z.object({
  state: z.string().min(1).max(512),
  code: z.string().max(4096).optional(),
  error: z.string().max(200).optional(),
})

type SignInFailure = Exclude<CodeFlowOutcome, 'signed_in'>

/** The code flow: out to the identity provider and back, ending at the handler page. */
export function mountAuthorize(app: Application, dependencies: AuthDependencies): void {
  const {
    cookie,
    invitationCookie,
    limits,
    provider,
    sessions,
    store,
    transactions,
    codes,
    codeFlowEnded,
    publicOrigin,
    authorizedDomains,
    logger,
  } = dependencies
  const redirectUri = `${publicOrigin}${callbackPath}`

  app.get(authorizePath, async (req, res) => {
    res.locals.operation = 'auth.authorize'
    requireOwnNavigation(req, publicOrigin)
    const request = authorizeSchema.safeParse(req.query)
    if (!request.success)
      throw errors.badRequest('This sign-in request is not complete. Start again from the login page.')
    // Compared as text: nothing that merely resembles our address may receive a code.
    if (request.data.redirect_uri !== `${publicOrigin}${handlerPath}`) {
      throw new AppError('invalid_redirect', 'This sign-in request names an address that is not registered.')
    }
    const { state, code_challenge: challenge } = request.data
    if (!isAuthorizedDomain(new URL(publicOrigin).hostname, authorizedDomains)) {
      return finish(res, { error: 'unauthorized_domain', state })
    }
    if (!(await limits.authorize(req.ip ?? ''))) return finish(res, { error: 'temporarily_unavailable', state })
    const page = { state, challenge, redirectUri: request.data.redirect_uri }
    const transaction = await transactions.begin(req, res, { page, redirectUri, previous: cookie.read(req) })
    const { provider: alias, login_hint: loginHint, prompt } = request.data
    const url = await provider.authorizationUrl(transaction, {
      ...(alias && { alias }),
      ...(loginHint && { loginHint }),
      ...(prompt && { prompt }),
    })
    res.redirect(303, url.href)
  })

  app.get(callbackPath, async (req, res) => {
    res.locals.operation = 'auth.callback'
    const answer = callbackSchema.safeParse(req.query)
    const transaction = answer.success ? await transactions.consume(req, res, answer.data.state) : undefined
    if (!answer.success || !transaction) return finish(res, { error: 'invalid_auth_event' })
    const { state } = transaction.page
    if (answer.data.code === undefined) {
      logger.info({ requestId: res.locals.requestId, reason: answer.data.error }, 'the provider ended a sign-in')
      const error = answer.data.error === 'temporarily_unavailable' ? 'temporarily_unavailable' : 'access_denied'
      return finish(res, { error, state })
    }
    try {
      return finish(res, { code: await signIn(req, res, transaction), state })
    } catch (error) {
      res.locals.problem = error
      return finish(res, { error: failureOf(error), state })
    }
  })

  async function signIn(req: Request, res: Response, transaction: Transaction): Promise<string> {
    const tokens = await provider.redeemCode(new URL(req.originalUrl, publicOrigin), transaction)
    const previous = transaction.previous === undefined ? undefined : await store.load(transaction.previous)
    const session = await sessions.start({
      client: 'web',
      tokens,
      previous,
      visitor: visitorOf(req),
      startedAt: new Date(transaction.startedAt),
      invitation: invitationCookie.read(req),
    })
    cookie.set(res, session.secret)
    const { challenge, redirectUri: pageUri } = transaction.page
    return codes.issue({ sessionKey: session.key, challenge, redirectUri: pageUri })
  }

  function finish(
    res: Response,
    params: { code: string; state: string } | { error: SignInFailure; state?: string },
  ): void {
    codeFlowEnded('error' in params ? params.error : 'signed_in')
    const description = 'error' in params ? { error_description: params.error } : {}
    if ('error' in params)
      res.locals.problem ??= errors.badRequest('A sign-in came to nothing.', { detail: params.error })
    res.redirect(303, `${handlerPath}?${new URLSearchParams({ ...params, ...description })}`)
  }
}

/** Refuses navigations from other sites: only our own page may send a browser to sign in; from elsewhere it is a forced login. */
function requireOwnNavigation(req: Request, publicOrigin: string): void {
  const site = req.get('sec-fetch-site')
  const referer = req.get('referer')
  const isOwnPage = site === undefined ? referer?.startsWith(`${publicOrigin}/`) : site === 'same-origin'
  if (!isOwnPage) throw errors.badRequest('Start signing in from the Parley login page.')
}

function failureOf(error: unknown): SignInFailure {
  if (error instanceof GrantRefused) return 'access_denied'
  if (error instanceof AppError && error.status >= 500) return 'temporarily_unavailable'
  return 'server_error'
}
