import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { signInLife } from '../sign-in-flow.ts'
import type { Database } from '../store/database.ts'
import { createFlowRecords } from '../store/flow-records.ts'
import { upstreamIdentitySchema } from './upstream.ts'

const waitingSchema = z.object({
  userId: z.string(),
  identity: upstreamIdentitySchema,
  /** Whoever reads the account's mail has agreed. */
  confirmed: z.boolean(),
})
export type WaitingLink = z.infer<typeof waitingSchema>

/** Seconds for which a mailed link works. */
export const linkMailLife = 900

const hash = (key: string) => createHash('sha256').update(key).digest('base64url')

export type WaitingLinks = ReturnType<typeof createWaitingLinks>

/** Identities that are to be linked to an existing account once its owner has agreed, one for each sign-in under way. */
export function createWaitingLinks(database: Database) {
  const waiting = createFlowRecords(database, 'WaitingLink', waitingSchema)
  const mails = createFlowRecords(database, 'LinkMail', z.object({ uid: z.string() }))

  return {
    open: (uid: string, link: Omit<WaitingLink, 'confirmed'>): void =>
      waiting.put(uid, { ...link, confirmed: false }, signInLife),
    find: waiting.find,
    consume: waiting.consume,
    /** @returns the key to put into a mail; only its hash is kept */
    mailKey(uid: string): string {
      const key = randomBytes(32).toString('base64url')
      mails.put(hash(key), { uid }, linkMailLife)
      return key
    },
    findByMail(key: string): WaitingLink | undefined {
      const mail = mails.find(hash(key))
      return mail && waiting.find(mail.uid)
    },
    /** Uses the mail up. @returns the sign-in that may go on */
    confirmByMail(key: string): string | undefined {
      const uid = mails.consume(hash(key))?.uid
      const link = uid === undefined ? undefined : waiting.find(uid)
      if (uid === undefined || !link) return undefined
      waiting.put(uid, { ...link, confirmed: true }, signInLife)
      return uid
    },
  }
}
