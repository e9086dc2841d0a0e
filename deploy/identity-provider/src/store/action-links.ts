import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Database } from './database.ts'
import { nowSeconds } from './sessions.ts'

export type LinkAction = 'VERIFY_EMAIL' | 'UPDATE_PASSWORD'

/** A link that a mail carried, as it stands now. */
export interface ActionLink {
  readonly action: LinkAction
  readonly userId: string
  /** The address it was sent to; the link proves nothing about another one. */
  readonly email: string
  readonly redirectUri: string | null
  readonly expired: boolean
  readonly used: boolean
}

/** Seconds for which an ended link is remembered, so that opening it again can be answered in a useful way. */
const rememberEnded = 30 * 86_400

const linkRow = z
  .object({
    action: z.enum(['VERIFY_EMAIL', 'UPDATE_PASSWORD']),
    user_id: z.string(),
    email: z.string(),
    redirect_uri: z.string().nullable(),
    expires_at: z.number(),
    used_at: z.number().nullable(),
  })
  .transform(
    (row): ActionLink => ({
      action: row.action,
      userId: row.user_id,
      email: row.email,
      redirectUri: row.redirect_uri,
      expired: row.expires_at <= nowSeconds(),
      used: row.used_at !== null,
    }),
  )

const hash = (key: string) => createHash('sha256').update(key).digest('base64url')

export type ActionLinkStore = ReturnType<typeof createActionLinkStore>

/** Links of mails. Only a hash of the key is kept, so the file gives no link away. */
export function createActionLinkStore(database: Database) {
  const insert = database.prepare('INSERT INTO action_links VALUES (?, ?, ?, ?, ?, ?, NULL)')
  const one = database.prepare('SELECT * FROM action_links WHERE key_hash = ?')
  const use = database.prepare(
    'UPDATE action_links SET used_at = ? WHERE key_hash = ? AND used_at IS NULL AND expires_at > ?',
  )
  const eraseOld = database.prepare('DELETE FROM action_links WHERE expires_at < ?')

  /** @returns the key to put into the mail */
  function create(link: Omit<ActionLink, 'expired' | 'used'>, lifespanSeconds: number): string {
    const key = randomBytes(32).toString('base64url')
    insert.run(hash(key), link.action, link.userId, link.email, link.redirectUri, nowSeconds() + lifespanSeconds)
    return key
  }

  function find(key: string): ActionLink | undefined {
    const row = one.get(hash(key))
    return row === undefined ? undefined : linkRow.parse(row)
  }

  /** Uses the link up. @returns false where it was used or has expired, for all but one of several callers at once */
  function consume(key: string): boolean {
    return use.run(nowSeconds(), hash(key), nowSeconds()).changes > 0
  }

  function purge(): void {
    eraseOld.run(nowSeconds() - rememberEnded)
  }

  return { create, find, consume, purge }
}
