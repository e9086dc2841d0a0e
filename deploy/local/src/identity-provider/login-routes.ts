import { errors, type Provider } from 'oidc-provider'
import { type Call, clientIp, type Reply, type Route, readForm, route } from './http.ts'
import { loginPage } from './pages/login-page.ts'
import { staleSignInPage } from './pages/messages.ts'
import type { RealmConfig } from './realm-config.ts'
import type { CheckPassword } from './sign-in.ts'

interface Deps {
  readonly realm: RealmConfig
  readonly provider: Provider
  readonly checkPassword: CheckPassword
}

/** The hosted sign-in page of the authorization code flow. */
export function loginRoutes(deps: Deps): Route[] {
  const path = `/realms/${deps.realm.name}/login-actions/authenticate/:uid`
  return [
    route('GET', path, (call) => withInteraction(deps, () => showLogin(call, deps))),
    route('POST', path, (call) => withInteraction(deps, () => submitLogin(call, deps))),
  ]
}

/** The cookie that belongs to the page ties the form to the browser that asked to sign in. */
async function withInteraction(deps: Deps, next: () => Promise<Reply | undefined>) {
  try {
    return await next()
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error
    return staleSignInPage(deps.realm)
  }
}

async function showLogin(call: Call, deps: Deps): Promise<Reply> {
  const { params } = await deps.provider.interactionDetails(call.req, call.res)
  const hint = params['login_hint']
  return loginPage(deps.realm, { email: typeof hint === 'string' ? hint : '' })
}

async function submitLogin(call: Call, deps: Deps): Promise<Reply | undefined> {
  await deps.provider.interactionDetails(call.req, call.res)
  const form = await readForm(call.req)
  const email = form.get('username') ?? ''
  const result = await deps.checkPassword(email, form.get('password') ?? '', clientIp(call.req))
  if (!result.ok) return loginPage(deps.realm, { email, error: refusals[result.reason] })
  const login = { accountId: result.user.id, acr: '1', remember: false }
  await deps.provider.interactionFinished(call.req, call.res, { login }, { mergeWithLastSubmission: false })
  return undefined
}

const refusals = {
  credentials: 'Invalid email or password',
  disabled: 'This account is disabled.',
  not_set_up: 'This account is not fully set up. Use the link in the mail that we sent you.',
} as const
