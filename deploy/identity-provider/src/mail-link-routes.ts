import { type Request, Router } from 'express'
import { answer, queryOf, type Reply } from './http.ts'
import { hashOf } from './mail-links.ts'
import { readNewPassword, replacePassword } from './new-password.ts'
import {
  confirmEmailPage,
  confirmLinkPage,
  deadLinkPage,
  donePage,
  linkConfirmedPage,
  passwordFormPage,
} from './pages/pages.ts'
import type { Realm } from './realm.ts'
import { pageUrl, signInLife } from './sign-in-flow.ts'

/** Serves the links of mails. Opening one (GET) changes nothing; its one button (POST) acts. */
export const mailLinkRoutes = (realm: Realm): Router =>
  Router().all(
    '/',
    answer((req) => openLink(req, realm)),
  )

/** The link and its account, as long as the account still has the address to which the link was sent. */
function findLink(req: Request, realm: Realm) {
  const id = hashOf(queryOf(req)['key'] ?? '')
  const link = realm.mailLinks.find(id)
  const user = link && realm.users.find(link.userId)
  return user?.enabled && user.email === link?.email ? { id, link, user } : undefined
}

function openLink(req: Request, realm: Realm): Promise<Reply> | Reply {
  const { config } = realm
  const open = findLink(req, realm)
  if (!open) return deadLinkPage(config)
  const isPressed = req.method === 'POST'
  const { action, redirectUri } = open.link
  const { id, email, emailVerified } = open.user
  if (action === 'LINK_ACCOUNT') return isPressed ? confirmLink(open, realm) : confirmLinkPage(config, email)
  if (action === 'UPDATE_PASSWORD')
    return isPressed ? updatePassword(req, email, realm) : passwordFormPage(config, email)
  if (emailVerified)
    return donePage(config, { title: 'Already verified', what: `${email} has been verified already.`, redirectUri })
  // As in Keycloak the link proves its address until it expires, however often.
  if (!isPressed) return confirmEmailPage(config, email)
  const requiredActions = open.user.requiredActions.filter((name) => name !== 'VERIFY_EMAIL')
  realm.users.update(id, { emailVerified: true, requiredActions })
  const what = `${email} is verified. If you left ${config.displayName} open in another tab, it continues automatically.`
  return donePage(config, { title: 'Your email address is verified', what, redirectUri })
}

/** Lets the sign-in that waits for this mail go on, in the browser where it waits. */
function confirmLink({ id, link }: NonNullable<ReturnType<typeof findLink>>, realm: Realm): Reply {
  const uid = realm.mailLinks.remove(id) && link.uid
  const waiting = uid ? realm.waitingLinks.find(uid) : undefined
  if (!uid || !waiting) return deadLinkPage(realm.config)
  realm.waitingLinks.put(uid, { ...waiting, confirmed: true }, { lifeSeconds: signInLife })
  return linkConfirmedPage(realm.config, pageUrl(realm, uid, 'link'))
}

async function updatePassword(req: Request, email: string, realm: Realm): Promise<Reply> {
  const { hash, refusal } = await readNewPassword(realm, req, email)
  if (refusal) return refusal
  const open = findLink(req, realm)
  if (!open || !realm.mailLinks.remove(open.id)) return deadLinkPage(realm.config)
  // A person who opened the mail owns the address.
  await replacePassword(realm, open.user.id, { hash, emailVerified: true, requiredActions: [] })
  const what = 'Your password has been changed and every session of this account has ended.'
  const next = 'Sign in with your new password'
  return donePage(realm.config, { title: 'Password changed', what, redirectUri: open.link.redirectUri, next })
}
