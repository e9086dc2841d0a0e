import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import { upstreamIdentitySchema } from './google/upstream.ts'
import { type Keys, loadKeys } from './keys.ts'
import { createMailer, type SendMail } from './mail.ts'
import { mailLinkSchema } from './mail-links.ts'
import { createProvider } from './oidc/provider.ts'
import { hashPassword, matchesPassword } from './passwords.ts'
import { peoplesPassword, type RealmConfig } from './realm-config.ts'
import { createRecords, type Database, openDatabase } from './store/records.ts'
import { createSessionStore, type SessionStore } from './store/sessions.ts'
import { createUserStore, passwordOf, type UserStore } from './store/users.ts'

/** What the handlers of one realm work with. */
export interface Realm extends ReturnType<typeof openStores> {
  readonly config: RealmConfig
  readonly issuer: string
  readonly keys: Keys
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly provider: Provider
  readonly matchesPassword: typeof matchesPassword
  readonly sendMail: SendMail
  readonly logger: Logger
}

/** Opens a realm with its own folder, keys, accounts and issuer. */
export async function openRealm(
  config: RealmConfig,
  options: { origin: string; dataDir: string; smtpUrl: string; logger: Logger },
): Promise<Realm> {
  const folder = join(options.dataDir, config.name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stores = openStores(openDatabase(join(folder, 'records.sqlite')), config)
  await createPeople(config, stores.users)
  const realm = {
    ...stores,
    config,
    issuer: `${options.origin}/realms/${config.name}`,
    keys: await loadKeys(join(folder, 'keys.json')),
    matchesPassword,
    sendMail: createMailer(options.smtpUrl),
    logger: options.logger,
  }
  return { ...realm, provider: createProvider(realm) }
}

export function openStores(database: Database, limits: { sessionIdle: number; sessionMax: number }) {
  return {
    database,
    users: createUserStore(database),
    sessions: createSessionStore(database, limits),
    /** Wrong passwords in a row, by account. */
    failures: createRecords(database, 'Failures', z.object({ count: z.number(), lockedUntil: z.number() })),
    /** What a mail's link is for, by a hash of its key: the file gives no link away. */
    mailLinks: createRecords(database, 'MailLink', mailLinkSchema),
    /** Who has been shown to sign in, by the id of the sign-in, while the account must do something first. */
    proven: createRecords(
      database,
      'ProvenSignIn',
      z.object({ userId: z.string(), viaGoogle: z.boolean(), mailed: z.boolean() }),
    ),
    /** What the way to Google and back must remember, by the id of the sign-in. */
    trips: createRecords(database, 'GoogleTrip', z.object({ nonce: z.string(), verifier: z.string() })),
    /** Google's identities that wait for the owner of an existing account, by the id of the sign-in. */
    waitingLinks: createRecords(
      database,
      'WaitingLink',
      z.object({ userId: z.string(), identity: upstreamIdentitySchema, confirmed: z.boolean() }),
    ),
    /** Which account each of Google's identities opens, by Google's lasting name of the person (`sub`). */
    identities: createRecords(
      database,
      'GoogleIdentity',
      z.object({ userId: z.string(), subject: z.string(), username: z.string() }),
    ),
  }
}

/** Puts in the realm's made-up people where they are missing. */
async function createPeople({ people = [] }: RealmConfig, users: UserStore): Promise<void> {
  for (const person of people.filter(({ email }) => !users.findByEmail(email))) {
    const password = passwordOf(await hashPassword(peoplesPassword))
    users.create({ ...person, enabled: true, requiredActions: [], password })
  }
}
