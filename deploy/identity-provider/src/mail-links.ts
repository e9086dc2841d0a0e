import { createHash, randomBytes } from 'node:crypto'
import type { Realm } from './realm.ts'
import type { MailLink } from './store/stores.ts'
import type { User } from './store/users.ts'

/** Under which a link is kept. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Mails a link to an account's address. @returns whether the mail server has taken it */
export async function mailLink(
  { issuer, mailLinks, sendMail, logger }: Pick<Realm, 'issuer' | 'mailLinks' | 'sendMail' | 'logger'>,
  user: User,
  wanted: Pick<MailLink, 'action'> & Partial<MailLink> & { lifespanSeconds: number },
): Promise<boolean> {
  const { action, redirectUri = null, uid = null, lifespanSeconds } = wanted
  const key = randomBytes(32).toString('base64url')
  const kept = { action, userId: user.id, email: user.email, redirectUri, uid }
  mailLinks.put(hashOf(key), kept, { lifeSeconds: lifespanSeconds, owner: user.id })
  const link = `${issuer}/login-actions/action-token?key=${key}`
  try {
    await sendMail({ to: user.email, action, link, lifespanSeconds })
    return true
  } catch (error) {
    logger.warn({ err: error }, 'mail not sent')
    return false
  }
}
