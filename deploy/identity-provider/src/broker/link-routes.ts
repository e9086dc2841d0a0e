import type { Logger } from '@parley/service-kit/core/logger'
import { clientIp, type Reply, type Route, readForm, route } from '../http.ts'
import type { SendMail } from '../mail.ts'
import { deadLinkPage } from '../pages/action-pages.ts'
import { confirmLinkPage, linkConfirmedPage, linkPage } from '../pages/broker-pages.ts'
import { staleSignInPage } from '../pages/messages.ts'
import type { BrokerConfig, RealmConfig } from '../realm-config.ts'
import type { CheckPassword } from '../sign-in.ts'
import type { OpenSignIn, SignInFlow } from '../sign-in-flow.ts'
import type { FederatedIdentityStore } from '../store/federated-identities.ts'
import type { User, UserStore } from '../store/users.ts'
import { linkTo } from './settle.ts'
import { linkMailLife, type WaitingLink, type WaitingLinks } from './waiting-links.ts'

interface Deps {
  readonly issuer: string
  readonly realm: RealmConfig
  readonly broker: BrokerConfig
  readonly flow: SignInFlow
  readonly users: UserStore
  readonly federated: FederatedIdentityStore
  readonly waitingLinks: WaitingLinks
  readonly checkPassword: CheckPassword
  readonly sendMail: SendMail
  readonly logger: Logger
}

interface OpenLink {
  readonly signIn: OpenSignIn
  readonly link: WaitingLink
  readonly user: User
}

const linkFailures = {
  credentials: 'That is not the password of this account.',
  disabled: 'This account is disabled.',
  unproven: 'The address of this account has not been verified, so its password is not enough. Use the mail.',
} as const

/** The page that asks the owner of an existing account, by its password or its mail, whether to link it. */
export function linkRoutes(deps: Deps): Route[] {
  const answer = (act: (open: OpenLink) => Promise<Reply | undefined> | Reply) =>
    deps.flow.withSignIn((signIn) => {
      const link = deps.waitingLinks.find(signIn.uid)
      const user = link && deps.users.find(link.userId)
      // The address is all that the two have in common; without it there is nothing to link.
      if (!link || user?.email !== link.identity.email) return staleSignInPage(deps.realm)
      return act({ signIn, link, user })
    })
  return [
    route(
      'GET',
      `${deps.flow.base}/:uid/link`,
      answer((open) => (open.link.confirmed ? linkByMail(open, deps) : show(open, deps))),
    ),
    route(
      'POST',
      `${deps.flow.base}/:uid/link`,
      answer((open) => submit(open, deps)),
    ),
    route(
      'POST',
      `${deps.flow.base}/:uid/cancel`,
      deps.flow.withSignIn((signIn) =>
        deps.flow.abort(signIn, 'access_denied', `The sign-in with ${deps.broker.displayName} was cancelled`),
      ),
    ),
  ]
}

/** What the link of a mail does: opening it changes nothing, its button lets the waiting sign-in go on. */
export function linkMailPages(deps: Pick<Deps, 'realm' | 'broker' | 'flow' | 'waitingLinks'>) {
  return {
    show(key: string): Reply | undefined {
      const link = deps.waitingLinks.findByMail(key)
      return link && confirmLinkPage(deps.realm, deps.broker, link.identity.email)
    },
    confirm(key: string): Reply {
      const uid = deps.waitingLinks.confirmByMail(key)
      if (uid === undefined) return deadLinkPage(deps.realm)
      return linkConfirmedPage(deps.realm, deps.broker, deps.flow.pageUrl(uid, 'link'))
    },
  }
}

function show({ signIn, user }: OpenLink, deps: Deps, state: { error?: string; mailed?: boolean } = {}): Reply {
  return linkPage(deps.realm, deps.broker, {
    email: user.email,
    takesPassword: takesPassword(user, deps),
    action: deps.flow.pageUrl(signIn.uid, 'link'),
    cancel: deps.flow.pageUrl(signIn.uid, 'cancel'),
    ...state,
  })
}

async function submit(open: OpenLink, deps: Deps): Promise<Reply | undefined> {
  const form = await readForm(open.signIn.call.req)
  if (form.has('mail')) return mail(open, deps)
  // Whoever made the account may not own the address: Keycloak asks for the mail as well.
  if (!takesPassword(open.user, deps)) return show(open, deps, { error: linkFailures.unproven })
  const ip = clientIp(open.signIn.call.req)
  const result = await deps.checkPassword(open.user.email, form.get('password') ?? '', ip)
  if (!result.ok && result.reason !== 'not_set_up') return show(open, deps, { error: linkFailures[result.reason] })
  return link(open, result.user, deps)
}

const takesPassword = (user: User, deps: Deps): boolean =>
  user.emailVerified && deps.users.findPassword(user.id) !== undefined

async function mail(open: OpenLink, deps: Deps): Promise<Reply> {
  const key = deps.waitingLinks.mailKey(open.signIn.uid)
  const address = `${deps.issuer}/login-actions/action-token?key=${key}`
  const message = { to: open.user.email, action: 'LINK_ACCOUNT', link: address, lifespanSeconds: linkMailLife } as const
  try {
    await deps.sendMail(message)
    return show(open, deps, { mailed: true })
  } catch (error) {
    deps.logger.warn({ err: error }, 'mail not sent')
    return show(open, deps, { error: 'The mail could not be sent. Try again in a moment.' })
  }
}

/** Whoever confirmed reads the account's mail, so its address is proven too. */
function linkByMail(open: OpenLink, deps: Deps): Promise<Reply | undefined> | Reply {
  if (!open.user.enabled) return show(open, deps, { error: linkFailures.disabled })
  const user = { ...open.user, emailVerified: true }
  deps.users.update(user)
  return link(open, user, deps)
}

function link({ signIn }: OpenLink, user: User, deps: Deps): Promise<Reply | undefined> | Reply {
  // Of two answers at once only one links.
  const waiting = deps.waitingLinks.consume(signIn.uid)
  if (!waiting || waiting.userId !== user.id) return staleSignInPage(deps.realm)
  return deps.flow.finish(signIn, linkTo(user, waiting.identity, deps), deps.broker.alias)
}
