import type { Logger } from '@parley/service-kit/core/logger'
import { type Reply, type Route, readForm, route } from './http.ts'
import type { SendMail } from './mail.ts'
import { checkNewPassword } from './new-password.ts'
import type { SessionEnd } from './oidc/session-end.ts'
import { passwordFormPage } from './pages/action-pages.ts'
import { staleSignInPage } from './pages/messages.ts'
import { unknownActionPage, verifyFirstPage } from './pages/required-action-pages.ts'
import type { Passwords } from './passwords.ts'
import type { RealmConfig } from './realm-config.ts'
import { type OpenSignIn, type Proven, redirect, type SignInFlow } from './sign-in-flow.ts'
import type { ActionLinkStore } from './store/action-links.ts'
import type { User, UserStore } from './store/users.ts'

interface Deps {
  readonly issuer: string
  readonly realm: RealmConfig
  readonly flow: SignInFlow
  readonly users: UserStore
  readonly links: ActionLinkStore
  readonly passwords: Pick<Passwords, 'hash'>
  readonly sessionEnd: Pick<SessionEnd, 'endAllOf'>
  readonly sendMail: SendMail
  readonly logger: Logger
}

interface Waiting {
  readonly signIn: OpenSignIn
  readonly proven: Proven
  readonly user: User
  readonly action: string
}

/** What an account must do before its sign-in goes on. */
export function requiredActionRoutes(deps: Deps): Route[] {
  const path = `${deps.flow.base}/:uid/required-action`
  const answer = (act: (waiting: Waiting) => Promise<Reply | undefined> | Reply) =>
    deps.flow.withSignIn((signIn) => {
      const proven = deps.flow.findProven(signIn.uid)
      const user = proven && deps.users.find(proven.userId)
      if (!proven || !user?.enabled) return staleSignInPage(deps.realm)
      const [action] = user.requiredActions
      if (action === undefined) return deps.flow.finish(signIn, user, proven.identityProvider)
      return act({ signIn, proven, user, action })
    })
  return [
    route(
      'GET',
      path,
      answer((waiting) => show(waiting, deps)),
    ),
    route(
      'POST',
      path,
      answer((waiting) => perform(waiting, deps)),
    ),
  ]
}

function show(waiting: Waiting, deps: Deps): Promise<Reply> | Reply {
  const { user, action, proven } = waiting
  if (action === 'UPDATE_PASSWORD') return passwordFormPage(deps.realm, user.email)
  if (action !== 'VERIFY_EMAIL') return unknownActionPage(deps.realm, action)
  return proven.mailed ? verifyFirstPage(deps.realm, user.email, 'sent') : sendVerification(waiting, deps)
}

function perform(waiting: Waiting, deps: Deps): Promise<Reply | undefined> | Reply {
  if (waiting.action === 'UPDATE_PASSWORD') return updatePassword(waiting, deps)
  if (waiting.action === 'VERIFY_EMAIL') return sendVerification(waiting, deps)
  return unknownActionPage(deps.realm, waiting.action)
}

async function updatePassword({ signIn, user }: Waiting, deps: Deps): Promise<Reply> {
  const form = await readForm(signIn.call.req)
  const password = form.get('password-new') ?? ''
  const error = checkNewPassword(deps.realm, password, form.get('password-confirm') ?? '')
  if (error) return passwordFormPage(deps.realm, user.email, error)
  const hash = await deps.passwords.hash(password)
  const now = deps.users.find(user.id)
  // Of two forms sent at once only the first counts.
  if (!now?.requiredActions.includes('UPDATE_PASSWORD')) return staleSignInPage(deps.realm)
  deps.users.setPassword(now.id, hash)
  deps.users.update({ ...now, requiredActions: now.requiredActions.filter((name) => name !== 'UPDATE_PASSWORD') })
  await deps.sessionEnd.endAllOf(now.id)
  return redirect(deps.flow.pageUrl(signIn.uid, 'required-action'))
}

async function sendVerification({ signIn, proven, user }: Waiting, deps: Deps): Promise<Reply> {
  const lifespanSeconds = deps.realm.actionLinkLifespan
  const wanted = { action: 'VERIFY_EMAIL', userId: user.id, email: user.email, redirectUri: null } as const
  const key = deps.links.create(wanted, lifespanSeconds)
  const link = `${deps.issuer}/login-actions/action-token?key=${key}`
  try {
    await deps.sendMail({ to: user.email, action: 'VERIFY_EMAIL', link, lifespanSeconds })
    deps.flow.keepProven(signIn.uid, { ...proven, mailed: true })
    return verifyFirstPage(deps.realm, user.email, 'sent')
  } catch (error) {
    deps.logger.warn({ err: error }, 'mail not sent')
    return verifyFirstPage(deps.realm, user.email, 'failed')
  }
}
