import { createHash, randomBytes } from 'node:crypto'
import { passwordMismatch } from '@parley/contracts/account/auth'
import { type Request, Router } from 'express'
import { type Answer, formOf, pageUrl, queryOf, send } from './http.ts'
import { endAllSessions } from './oidc/sessions.ts'
import { html } from './pages/layout.ts'
import { confirmPage, deadLinkPage, donePage, passwordFormPage } from './pages/pages.ts'
import { newPassword, passwordFault } from './passwords.ts'
import type { Realm } from './realm.ts'
import { forever, type MailLink, type User } from './stores.ts'

/** Id under which a link is kept. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Mails a link to an account's address. @returns whether the mail server has taken it */
export async function mailLink(
  { issuer, mailLinks, sendMail, logger }: Realm,
  { id: userId, email }: User,
  wanted: Pick<MailLink, 'action'> & Partial<MailLink> & { lifeSeconds: number },
): Promise<boolean> {
  const { action, redirectUri = null, uid = null, lifeSeconds } = wanted
  const key = randomBytes(32).toString('base64url')
  mailLinks.put(hashOf(key), { action, userId, email, redirectUri, uid }, lifeSeconds, userId)
  try {
    await sendMail({ to: email, action, link: `${issuer}/login-actions/action-token?key=${key}`, lifeSeconds })
    return true
  } catch (error) {
    logger.warn({ err: error }, 'mail not sent')
    return false
  }
}

/** Serves the links of mails. Opening one (GET) changes nothing; its one button (POST) acts. */
export const mailLinkRoutes = (realm: Realm): Router =>
  Router().all('/', async (req, res) => send(res, await openLink(req, realm)))

/** The link and its account, as long as the account still has the address to which the link was sent. */
function findLink(req: Request, { mailLinks, users }: Realm) {
  const id = hashOf(queryOf(req)['key'] ?? '')
  const link = mailLinks.find(id)
  const user = link && users.find(link.userId)
  return user?.enabled && user.email === link?.email ? { id, link, user } : undefined
}

async function openLink(req: Request, realm: Realm): Promise<Answer> {
  const open = findLink(req, realm)
  if (!open) return deadLinkPage
  const { id, link, user } = open
  const { action, redirectUri, uid } = link
  const { email } = user
  const isPressed = req.method === 'POST'
  if (action === 'UPDATE_PASSWORD') {
    if (!isPressed) return passwordFormPage(email)
    return replacePassword(req, realm, { user, change: { emailVerified: true } }, () => {
      const what = 'Your password has been changed and every session of this account has ended.'
      return realm.mailLinks.remove(id)
        ? donePage('Password changed', what, redirectUri, 'Sign in with your new password')
        : undefined
    })
  }
  if (action === 'LINK_ACCOUNT') {
    const question = html`Someone has just signed in with the Google account <strong>${email}</strong> and wants it to open the Parley account of that address. If that was not you, close this page.`
    if (!isPressed) return confirmPage('Link your Google account', question, 'Link Google')
    if (uid === null || !realm.mailLinks.remove(id)) return deadLinkPage
    realm.users.update(user.id, { emailVerified: true })
    realm.identities.put(email, { userId: user.id }, forever, user.id)
    const what = 'Google may open this account now. Go back to the window where you signed in, or continue here.'
    return donePage('Confirmed', what, pageUrl(uid, '/google'), 'Continue in this window')
  }
  if (user.emailVerified) return donePage('Already verified', `${email} has been verified already.`, redirectUri)
  const question = html`Confirm that <strong>${email}</strong> is yours to finish setting up your Parley account.`
  // As in Keycloak the link proves its address until it expires, however often.
  if (!isPressed) return confirmPage('Confirm your email address', question, 'Confirm email address')
  realm.users.update(user.id, { emailVerified: true })
  const what = `${email} is verified. If you left Parley open in another tab, it continues automatically.`
  return donePage('Your email address is verified', what, redirectUri)
}

/**
 * Sets a new password that was typed twice, with what else changes of the account, and ends its sessions.
 * @param claim uses up what allows it, and says what comes next; of two forms sent at once one gets it
 */
export async function replacePassword(
  req: Request,
  realm: Realm,
  { user: { id, email }, change = {} }: { user: User; change?: Partial<User> },
  claim: () => Answer | undefined,
): Promise<Answer> {
  const { 'password-new': typed = '', 'password-confirm': again = '' } = formOf(req)
  if (typed !== again) return passwordFormPage(email, { again: passwordMismatch })
  const fault = passwordFault(typed, realm.config.PASSWORD_MIN_LENGTH)
  if (fault) return passwordFormPage(email, { first: fault.sentence })
  const password = await newPassword(typed)
  const next = claim()
  if (!next) return deadLinkPage
  realm.users.update(id, { ...change, password, requiredActions: [] })
  await endAllSessions(realm, id)
  return next
}
