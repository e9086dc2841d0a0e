import type { linkMailPages } from './broker/link-routes.ts'
import { type Call, type Reply, type Route, readForm, route } from './http.ts'
import { checkNewPassword } from './new-password.ts'
import type { SessionEnd } from './oidc/session-end.ts'
import {
  alreadyVerifiedPage,
  confirmEmailPage,
  deadLinkPage,
  emailVerifiedPage,
  passwordFormPage,
  passwordSavedPage,
} from './pages/action-pages.ts'
import type { Passwords } from './passwords.ts'
import type { RealmConfig } from './realm-config.ts'
import type { ActionLink, ActionLinkStore } from './store/action-links.ts'
import { atomically, type Database } from './store/database.ts'
import type { User, UserStore } from './store/users.ts'

interface Deps {
  readonly realm: RealmConfig
  readonly database: Database
  readonly users: UserStore
  readonly links: ActionLinkStore
  readonly passwords: Pick<Passwords, 'hash'>
  readonly sessionEnd: Pick<SessionEnd, 'endAllOf'>
  /** The pages of mails that link an account elsewhere. */
  readonly linkMails?: ReturnType<typeof linkMailPages>
}

interface OpenLink {
  readonly key: string
  readonly link: ActionLink
  readonly user: User
}

/** Where the links of mails lead. Opening one (GET) changes nothing; its one button (POST) acts. */
export function actionRoutes(deps: Deps): Route[] {
  const path = `/realms/${deps.realm.name}/login-actions/action-token`
  const linkMailOf = ({ url }: Call) => {
    const key = url.searchParams.get('key') ?? ''
    const page = deps.linkMails?.show(key)
    return page && { page, key }
  }
  return [
    route('GET', path, (call) => {
      const open = openLink(call.url, deps)
      return open ? show(open, deps) : (linkMailOf(call)?.page ?? deadLinkPage(deps.realm))
    }),
    route('POST', path, (call) => {
      const open = openLink(call.url, deps)
      if (open) return perform(open, call, deps)
      const mail = linkMailOf(call)
      return (mail && deps.linkMails?.confirm(mail.key)) ?? deadLinkPage(deps.realm)
    }),
  ]
}

/** The link and its account, as long as the account still has the address to which the link was sent. */
function openLink(url: URL, deps: Deps): OpenLink | undefined {
  const key = url.searchParams.get('key') ?? ''
  const link = deps.links.find(key)
  const user = link && deps.users.find(link.userId)
  return link && user?.enabled && user.email === link.email ? { key, link, user } : undefined
}

function show({ link, user }: OpenLink, deps: Deps): Reply {
  if (link.action === 'VERIFY_EMAIL' && user.emailVerified) {
    return alreadyVerifiedPage(deps.realm, user.email, link.redirectUri)
  }
  if (link.expired) return deadLinkPage(deps.realm)
  if (link.action === 'VERIFY_EMAIL') return confirmEmailPage(deps.realm, user.email)
  return link.used ? deadLinkPage(deps.realm) : passwordFormPage(deps.realm, user.email)
}

function perform(open: OpenLink, call: Call, deps: Deps): Promise<Reply> | Reply {
  return open.link.action === 'VERIFY_EMAIL' ? verifyEmail(open, deps) : updatePassword(open, call, deps)
}

/** As in Keycloak the link proves its address until it expires, however often. */
function verifyEmail({ link, user }: OpenLink, deps: Deps): Reply {
  if (user.emailVerified) return alreadyVerifiedPage(deps.realm, user.email, link.redirectUri)
  if (link.expired) return deadLinkPage(deps.realm)
  deps.users.update(proven(user, 'VERIFY_EMAIL'))
  return emailVerifiedPage(deps.realm, user.email, link.redirectUri)
}

async function updatePassword({ key, link, user }: OpenLink, call: Call, deps: Deps): Promise<Reply> {
  if (link.used || link.expired) return deadLinkPage(deps.realm)
  const form = await readForm(call.req)
  const password = form.get('password-new') ?? ''
  const error = checkNewPassword(deps.realm, password, form.get('password-confirm') ?? '')
  if (error) return passwordFormPage(deps.realm, user.email, error)
  const hash = await deps.passwords.hash(password)
  const done = atomically(deps.database, () => {
    const now = deps.users.find(user.id)
    if (!now || now.email !== link.email || !deps.links.consume(key)) return false
    deps.users.setPassword(user.id, hash)
    deps.users.update(proven(now, 'UPDATE_PASSWORD'))
    return true
  })
  if (!done) return deadLinkPage(deps.realm)
  await deps.sessionEnd.endAllOf(user.id)
  return passwordSavedPage(deps.realm, link.redirectUri)
}

/** Whoever opened the mail has the address (Keycloak marks it verified after either action). */
function proven(user: User, action: ActionLink['action']): User {
  const requiredActions = user.requiredActions.filter((name) => name !== action && name !== 'VERIFY_EMAIL')
  return { ...user, emailVerified: true, requiredActions }
}
