import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { atomically, type Database } from './database.ts'

export interface User {
  readonly id: string
  /** Lower-cased; also the user name. */
  readonly email: string
  readonly emailVerified: boolean
  readonly enabled: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly attributes: Readonly<Record<string, readonly string[]>>
  readonly requiredActions: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export type PasswordCredential = z.infer<typeof passwordRow>

/** Another account has this address. */
export class EmailTakenError extends Error {}

const flag = z.number().transform((value) => value === 1)
const json = <T extends z.ZodType>(schema: T) => z.string().transform((text) => schema.parse(JSON.parse(text)))

const userColumns = `id, email, email_verified AS emailVerified, enabled, first_name AS firstName, last_name AS lastName,
  attributes, required_actions AS requiredActions, created_at AS createdAt`
const userRow = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: flag,
  enabled: flag,
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  attributes: json(z.record(z.string(), z.array(z.string()))),
  requiredActions: json(z.array(z.string())),
  createdAt: z.number(),
})

/** Values by the names that the statements give them. */
const toRow = ({ id, email, emailVerified, enabled, firstName, lastName, createdAt, ...lists }: User) => ({
  ...{ id, email, firstName, lastName, createdAt },
  emailVerified: Number(emailVerified),
  enabled: Number(enabled),
  attributes: JSON.stringify(lists.attributes),
  requiredActions: JSON.stringify(lists.requiredActions),
})

const passwordRow = z.object({ id: z.string(), hash: z.string(), createdAt: z.number() })

export type UserStore = ReturnType<typeof createUserStore>

/** Accounts and their passwords. */
export function createUserStore(database: Database) {
  const one = database.prepare(`SELECT ${userColumns} FROM users WHERE id = ?`)
  const byEmail = database.prepare(`SELECT ${userColumns} FROM users WHERE email = ?`)
  const matching = database.prepare(
    `SELECT ${userColumns} FROM users WHERE email LIKE ? ESCAPE '\\' ORDER BY email LIMIT ? OFFSET ?`,
  )
  const insert = database.prepare(
    `INSERT INTO users VALUES ($id, $email, $emailVerified, $enabled, $firstName, $lastName, $attributes, $requiredActions,
     $createdAt)`,
  )
  const change = database.prepare(
    `UPDATE users SET email = $email, email_verified = $emailVerified, enabled = $enabled, first_name = $firstName,
     last_name = $lastName, attributes = $attributes, required_actions = $requiredActions, created_at = $createdAt
     WHERE id = $id`,
  )
  const erase = database.prepare('DELETE FROM users WHERE id = ?')
  const password = database.prepare('SELECT id, hash, created_at AS createdAt FROM passwords WHERE user_id = ?')
  const putPassword = database.prepare('INSERT OR REPLACE INTO passwords VALUES (?, ?, ?, ?)')
  const erasePassword = database.prepare('DELETE FROM passwords WHERE user_id = ? AND id = ?')

  const parse = (row: unknown) => (row === undefined ? undefined : userRow.parse(row))

  function find(id: string): User | undefined {
    return parse(one.get(id))
  }

  function findByEmail(email: string): User | undefined {
    return parse(byEmail.get(email.toLowerCase()))
  }

  /** Accounts whose address contains the text, by address. */
  function search(text: string, page: { first: number; max: number }): User[] {
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    return matching.all(pattern, page.max, page.first).map((row) => userRow.parse(row))
  }

  /** @throws EmailTakenError */
  function create(user: Omit<User, 'id' | 'createdAt'>, passwordHash: string | undefined): User {
    return atomically(database, () => {
      if (findByEmail(user.email)) throw new EmailTakenError()
      const created = { ...user, id: randomUUID(), createdAt: Date.now() }
      insert.run(toRow(created))
      if (passwordHash !== undefined) setPassword(created.id, passwordHash)
      return created
    })
  }

  /** @throws EmailTakenError */
  function update(user: User): void {
    const holder = findByEmail(user.email)
    if (holder && holder.id !== user.id) throw new EmailTakenError()
    change.run(toRow(user))
  }

  function remove(id: string): void {
    erase.run(id)
  }

  function findPassword(userId: string): PasswordCredential | undefined {
    const row = password.get(userId)
    return row === undefined ? undefined : passwordRow.parse(row)
  }

  function setPassword(userId: string, hash: string): void {
    putPassword.run(userId, randomUUID(), hash, Date.now())
  }

  /** @returns whether there was such a credential */
  function removePassword(userId: string, credentialId: string): boolean {
    return erasePassword.run(userId, credentialId).changes > 0
  }

  return { find, findByEmail, search, create, update, remove, findPassword, setPassword, removePassword }
}
