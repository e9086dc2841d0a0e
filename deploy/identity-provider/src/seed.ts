import type { Passwords } from './passwords.ts'
import type { RealmConfig } from './realm-config.ts'
import type { UserStore } from './store/users.ts'

/** Puts in the realm's made-up accounts where they are missing. */
export async function seedAccounts(
  { showcase }: Pick<RealmConfig, 'showcase'>,
  { users, passwords }: { users: Pick<UserStore, 'findByEmail' | 'create'>; passwords: Pick<Passwords, 'hash'> },
): Promise<void> {
  for (const { email, emailVerified, firstName, lastName, picture } of showcase?.accounts ?? []) {
    if (!showcase || users.findByEmail(email)) continue
    const attributes = picture === null ? {} : { picture: [picture] }
    const profile = { email, emailVerified, enabled: true, firstName, lastName, attributes, requiredActions: [] }
    users.create(profile, await passwords.hash(showcase.password))
  }
}
