import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { forever } from './records.ts'
import type { Stores } from './stores.ts'
import { requiredActionSchema } from './users.ts'

const flag = z.number().transform((value) => value === 1)
const json = <T extends z.ZodType>(schema: T) => z.string().transform((text) => schema.parse(JSON.parse(text)))

const rowSchema = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: flag,
  enabled: flag,
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  attributes: json(z.object({ picture: z.array(z.string()).optional() })),
  requiredActions: json(z.array(requiredActionSchema)),
  passwordId: z.string().nullable(),
  hash: z.string().nullable(),
  subject: z.string().nullable(),
  username: z.string().nullable(),
})

const accounts = `
  SELECT users.id, email, email_verified AS emailVerified, enabled, first_name AS firstName, last_name AS lastName,
    attributes, required_actions AS requiredActions, passwords.id AS passwordId, hash, subject, username
  FROM users
  LEFT JOIN passwords ON passwords.user_id = users.id
  LEFT JOIN federated_identities AS identities ON identities.user_id = users.id`

/**
 * Takes over the accounts of an earlier version's file, all or none, with their ids, passwords and links to Google. Sessions
 * are not: people sign in again. The file stays under another name, so that it is read once.
 */
export function importAccounts(file: string, { database, users, identities }: Stores): void {
  if (!existsSync(file)) return
  const earlier = new DatabaseSync(file)
  const rows = earlier
    .prepare(accounts)
    .all()
    .map((row) => rowSchema.parse(row))
  earlier.close()
  database.exec('BEGIN')
  for (const { attributes, passwordId, hash, subject, username, ...account } of rows) {
    const { id, email } = users.restore({
      ...account,
      picture: attributes.picture?.[0] ?? null,
      password: passwordId && hash ? { id: passwordId, hash } : null,
    })
    if (subject === null) continue
    const identity = { userId: id, subject, username: username ?? email }
    identities.put(subject, identity, { lifeSeconds: forever, owner: id })
  }
  database.exec('COMMIT')
  renameSync(file, `${file}.imported`)
}
