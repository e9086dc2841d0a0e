import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { HttpError } from '../http.ts'
import { createRecords, type Database, forever, removeOwnedBy } from './records.ts'

/** Actions that an account may have to take before its sign-in goes on. */
export const requiredActionSchema = z.enum(['VERIFY_EMAIL', 'UPDATE_PASSWORD'])
export type RequiredAction = z.infer<typeof requiredActionSchema>

const userSchema = z.object({
  id: z.string(),
  /** Lower-cased; also the user name. */
  email: z.string(),
  emailVerified: z.boolean(),
  enabled: z.boolean(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  picture: z.string().nullable(),
  requiredActions: z.array(requiredActionSchema),
  password: z.object({ id: z.string(), hash: z.string(), createdAt: z.number().optional() }).nullable(),
})
export type User = z.infer<typeof userSchema>

const rowSchema = userSchema.pick({ id: true })

export const passwordOf = (hash: string): User['password'] => ({ id: randomUUID(), hash, createdAt: Date.now() })

export type UserStore = ReturnType<typeof createUserStore>

/** Accounts with their passwords. An address belongs to one account. */
export function createUserStore(database: Database) {
  const { put, find, listOf, remove: removeRecord } = createRecords(database, 'User', userSchema)

  const matching = database.prepare(
    "SELECT id FROM records WHERE kind = 'User' AND instr(owner, ?) > 0 ORDER BY owner LIMIT ? OFFSET ?",
  )

  const findByEmail = (email: string): User | undefined => listOf(email.toLowerCase())[0]

  /** Accounts whose address contains the text, by address. */
  const search = (text: string, { first, max }: { first: number; max: number }): User[] =>
    matching.all(text.toLowerCase(), max, first).flatMap((row) => find(rowSchema.parse(row).id) ?? [])

  /** @throws HttpError where another account has the address */
  function keep(user: User): User {
    const holder = findByEmail(user.email)
    if (holder && holder.id !== user.id) throw new HttpError(409, { errorMessage: 'User exists with same email' })
    put(user.id, user, { lifeSeconds: forever, owner: user.email })
    return user
  }

  /** @throws HttpError as `restore` */
  const create = (user: Omit<User, 'id'>): User => keep({ ...user, id: randomUUID() })

  /** Changes the account as it is now; undefined where it has gone. @throws HttpError as `restore` */
  function update(id: string, change: Partial<User>): User | undefined {
    const user = find(id)
    return user && keep({ ...user, ...change })
  }

  /** Its sessions, mail links and identities go with it. */
  function remove(id: string): void {
    removeRecord(id)
    removeOwnedBy(database, id)
  }

  return { find, findByEmail, search, create, restore: keep, update, remove }
}
