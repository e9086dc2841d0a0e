import { z } from 'zod'
import { createRecords, type Database } from './records.ts'
import { createSessionStore } from './sessions.ts'
import { createUserStore } from './users.ts'

/** Identity that Google vouches for. */
export const googleIdentitySchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).toLowerCase(),
  email_verified: z.boolean().default(false),
  given_name: z.string().max(255).optional(),
  family_name: z.string().max(255).optional(),
  picture: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
})
export type GoogleIdentity = z.infer<typeof googleIdentitySchema>

const mailLinkSchema = z.object({
  action: z.enum(['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'LINK_ACCOUNT']),
  userId: z.string(),
  /** The address it was sent to; the link proves nothing about another one. */
  email: z.string(),
  redirectUri: z.string().nullable(),
  /** The sign-in that waits for the owner of an account to link it. */
  uid: z.string().nullable(),
})
export type MailLink = z.infer<typeof mailLinkSchema>

const failuresSchema = z.object({ count: z.number(), lockedUntil: z.number() })
const provenSchema = z.object({ userId: z.string(), viaGoogle: z.boolean(), mailed: z.boolean() })
const tripSchema = z.object({ nonce: z.string(), verifier: z.string() })
const waitingLinkSchema = z.object({ userId: z.string(), identity: googleIdentitySchema, confirmed: z.boolean() })
const identitySchema = z.object({ userId: z.string(), subject: z.string(), username: z.string() })

export type Stores = ReturnType<typeof openStores>

/** Everything that a realm remembers beside its keys. */
export const openStores = (database: Database, limits: { sessionIdle: number; sessionMax: number }) => ({
  database,
  users: createUserStore(database),
  sessions: createSessionStore(database, limits),
  /** Wrong passwords in a row, by account. */
  failures: createRecords(database, 'Failures', failuresSchema),
  /** Purpose of a mail's link, by a hash of its key: the file gives no link away. */
  mailLinks: createRecords(database, 'MailLink', mailLinkSchema),
  /** Identified user by the id of the sign-in, while the account must do something first. */
  proven: createRecords(database, 'ProvenSignIn', provenSchema),
  /** State of the way to Google and back, by the id of the sign-in. */
  trips: createRecords(database, 'GoogleTrip', tripSchema),
  /** Google's identities that wait for the owner of an existing account, by the id of the sign-in. */
  waitingLinks: createRecords(database, 'WaitingLink', waitingLinkSchema),
  /** Account that each of Google's identities opens, by Google's lasting name of the person (`sub`). */
  identities: createRecords(database, 'GoogleIdentity', identitySchema),
})
