import { z } from 'zod'
import type { Database } from './database.ts'

/** An account elsewhere that opens an account here. */
export interface FederatedIdentity {
  /** Alias of the provider that vouches: `google`. */
  readonly provider: string
  /** That provider's own, lasting name of the person (`sub`). */
  readonly subject: string
  /** What the person is called there, for display. */
  readonly username: string
}

const identityRow = z.object({ provider: z.string(), subject: z.string(), username: z.string() })
const ownerRow = z.object({ user_id: z.string() })

export type FederatedIdentityStore = ReturnType<typeof createFederatedIdentityStore>

/** Which accounts elsewhere are linked to which accounts here; one of each provider at most. */
export function createFederatedIdentityStore(database: Database) {
  const insert = database.prepare('INSERT INTO federated_identities VALUES (?, ?, ?, ?)')
  const owner = database.prepare('SELECT user_id FROM federated_identities WHERE provider = ? AND subject = ?')
  const ofUser = database.prepare(
    'SELECT provider, subject, username FROM federated_identities WHERE user_id = ? ORDER BY provider',
  )

  return {
    /** Rejects a second identity of one provider for the account, and an identity that is linked already. */
    link(userId: string, identity: FederatedIdentity): void {
      insert.run(identity.provider, identity.subject, userId, identity.username)
    },
    findOwner(provider: string, subject: string): string | undefined {
      const row = owner.get(provider, subject)
      return row === undefined ? undefined : ownerRow.parse(row).user_id
    },
    listOfUser: (userId: string): FederatedIdentity[] => ofUser.all(userId).map((row) => identityRow.parse(row)),
  }
}
