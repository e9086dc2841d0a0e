import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { HttpError } from './http.ts'
import { createRecords, type Database, removeOwnedBy } from './records.ts'

/** A life for records that end with their account only, in seconds. */
export const forever = 100 * 365 * 86_400

const userSchema = z.object({
  id: z.string(),
  /** Lower-cased; also the user name. */
  email: z.string(),
  emailVerified: z.boolean(),
  enabled: z.boolean(),
  /** Names and picture as Google had them, for a person who came from there. */
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  picture: z.string().nullable(),
  /** A new password has to be chosen before the next sign-in is finished. */
  requiredActions: z.array(z.literal('UPDATE_PASSWORD')),
  /** `createdAt` in milliseconds since 1970. */
  password: z.object({ id: z.string(), hash: z.string(), createdAt: z.number() }).nullable(),
})
export type User = z.infer<typeof userSchema>

/** One sign-in; `sid` is also the id of its grant at oidc-provider. */
const sessionSchema = z.object({
  sid: z.string(),
  userId: z.string(),
  clientId: z.string(),
  /** True where Google vouched for the user, and no password. */
  viaGoogle: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>

const mailLinkSchema = z.object({
  action: z.enum(['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'LINK_ACCOUNT']),
  userId: z.string(),
  /** Address to which the mail went; the link proves nothing about another one. */
  email: z.string(),
  /** Page of the app to which the last page leads. */
  redirectUri: z.string().nullable(),
  /** The sign-in that waits for the owner of an account to link it. */
  uid: z.string().nullable(),
})
export type MailLink = z.infer<typeof mailLinkSchema>

const keysSchema = z.object({ signing: z.looseObject({ kty: z.string() }), cookies: z.array(z.string()) })
export type Keys = z.infer<typeof keysSchema>

export type Stores = ReturnType<typeof openStores>

/** Opens the stores of everything that the realm remembers. */
export const openStores = (database: Database) => ({
  database,
  keys: createRecords(database, 'Keys', keysSchema),
  users: createUserStore(database),
  /** Sign-ins by `sid`; an account's own them. */
  sessions: createRecords(database, 'Session', sessionSchema),
  /** Counts wrong passwords in a row, by account. */
  failures: createRecords(database, 'Failures', z.object({ count: z.number(), lockedUntil: z.number() })),
  /** Purpose of a mail's link, by a hash of its key: the file gives no link away. */
  mailLinks: createRecords(database, 'MailLink', mailLinkSchema),
  /** Identified user by the id of the sign-in, while a new password has to be chosen first. */
  proven: createRecords(database, 'ProvenSignIn', z.object({ userId: z.string(), viaGoogle: z.boolean() })),
  /** Google's address by the id of the sign-in, while the owner of an existing account is asked by mail. */
  waitingLinks: createRecords(database, 'WaitingLink', z.object({ email: z.string() })),
  /** Account that each of Google's people opens, by their address there. */
  identities: createRecords(database, 'GoogleIdentity', z.object({ userId: z.string() })),
})

/** Accounts with their passwords. An address belongs to one account. */
function createUserStore(database: Database) {
  const { put, find, listOf, remove: removeRecord } = createRecords(database, 'User', userSchema)
  const matching = database.prepare(
    "SELECT id FROM records WHERE kind = 'User' AND instr(owner, ?) > 0 ORDER BY owner LIMIT ? OFFSET ?",
  )

  const findByEmail = (email: string): User | undefined => listOf(email.toLowerCase())[0]

  /** Accounts whose address contains the text, by address. */
  const search = (text: string, first: number, max: number): User[] =>
    matching.all(text.toLowerCase(), max, first).flatMap(({ id }) => find(String(id)) ?? [])

  /** @throws HttpError 409 where another account has the address */
  function keep(user: User): User {
    const holder = findByEmail(user.email)
    if (holder && holder.id !== user.id) throw new HttpError(409, { errorMessage: 'User exists with same email' })
    put(user.id, user, forever, user.email)
    return user
  }

  /** @throws HttpError as `keep` */
  const create = (user: Pick<User, 'email' | 'emailVerified' | 'enabled' | 'password'> & Partial<User>): User =>
    keep({ firstName: null, lastName: null, picture: null, requiredActions: [], ...user, id: randomUUID() })

  /** Changes the account as it is now; undefined where it has gone. @throws HttpError as `keep` */
  function update(id: string, change: Partial<User>): User | undefined {
    const user = find(id)
    return user && keep({ ...user, ...change })
  }

  /** Removes the account with its sessions, mail links and identities. */
  function remove(id: string): void {
    removeRecord(id)
    removeOwnedBy(database, id)
  }

  return { find, findByEmail, search, create, update, remove }
}
