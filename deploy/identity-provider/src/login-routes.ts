import { clientIp, type Reply, type Route, readForm, route } from './http.ts'
import { loginPage } from './pages/login-page.ts'
import type { RealmConfig } from './realm-config.ts'
import type { CheckPassword } from './sign-in.ts'
import type { OpenSignIn, SignInFlow } from './sign-in-flow.ts'
import type { UserStore } from './store/users.ts'

interface Deps {
  readonly realm: RealmConfig
  readonly flow: SignInFlow
  readonly users: Pick<UserStore, 'findByEmail'>
  readonly checkPassword: CheckPassword
  /** Where there is another provider to sign in with. */
  readonly beginBrokering?: (signIn: OpenSignIn) => Reply
}

/** The hosted sign-in page of the authorization code flow. */
export function loginRoutes(deps: Deps): Route[] {
  const path = `${deps.flow.base}/:uid`
  return [
    route(
      'GET',
      path,
      deps.flow.withSignIn((signIn) => showLogin(signIn, deps)),
    ),
    route(
      'POST',
      path,
      deps.flow.withSignIn((signIn) => submitLogin(signIn, deps)),
    ),
  ]
}

function showLogin(signIn: OpenSignIn, deps: Deps): Reply {
  const { params, call, uid } = signIn
  const alias = deps.realm.broker?.alias
  const wanted = call.url.searchParams.get('kc_idp_hint') ?? params['kc_idp_hint']
  if (alias !== undefined && wanted === alias && deps.beginBrokering) return deps.beginBrokering(signIn)
  const hint = params['login_hint']
  return loginPage(deps.realm, { email: typeof hint === 'string' ? hint : '', action: deps.flow.pageUrl(uid) })
}

async function submitLogin(signIn: OpenSignIn, deps: Deps): Promise<Reply | undefined> {
  const { req } = signIn.call
  const form = await readForm(req)
  if (deps.realm.showcase && form.has('cancel')) {
    return deps.flow.abort(signIn, 'access_denied', 'The sign-in was cancelled')
  }
  const chosen = deps.realm.showcase?.accounts.find((account) => account.email === form.get('account'))
  const account = chosen && deps.users.findByEmail(chosen.email)
  if (account) return deps.flow.finish(signIn, account, null)
  const email = form.get('username') ?? ''
  const result = await deps.checkPassword(email, form.get('password') ?? '', clientIp(req))
  if (result.ok || result.reason === 'not_set_up') return deps.flow.finish(signIn, result.user, null)
  return loginPage(deps.realm, { email, action: deps.flow.pageUrl(signIn.uid), error: refusals[result.reason] })
}

const refusals = {
  credentials: 'Invalid email or password',
  disabled: 'This account is disabled.',
} as const
