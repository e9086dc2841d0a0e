import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@parley/service-kit/core/logger'
import { loadKeys } from './keys.ts'
import { createMailer } from './mail.ts'
import { createProvider } from './oidc/provider.ts'
import { installTokenEndpoint } from './oidc/token-endpoint.ts'
import { hashPassword, matchesPassword } from './passwords.ts'
import type { Realm } from './realm.ts'
import { peoplesPassword, type RealmConfig } from './realm-config.ts'
import { importAccounts } from './store/import-accounts.ts'
import { openDatabase } from './store/records.ts'
import { openStores } from './store/stores.ts'
import { passwordOf, type UserStore } from './store/users.ts'

/** Opens a realm with its own folder, keys, accounts and issuer. */
export async function openRealm(
  config: RealmConfig,
  options: { origin: string; dataDir: string; smtpUrl: string; logger: Logger },
): Promise<Realm> {
  const folder = join(options.dataDir, config.name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stores = openStores(openDatabase(join(folder, 'records.sqlite')), config)
  importAccounts(join(folder, 'realm.sqlite'), stores)
  await createPeople(config, stores.users)
  const parts = {
    ...stores,
    config,
    issuer: `${options.origin}/realms/${config.name}`,
    keys: await loadKeys(join(folder, 'keys.json')),
    matchesPassword,
    sendMail: createMailer(options.smtpUrl),
    logger: options.logger,
  }
  const realm = { ...parts, provider: createProvider(parts) }
  installTokenEndpoint(realm)
  return realm
}

/** Puts in the realm's made-up people where they are missing. */
async function createPeople({ people = [] }: RealmConfig, users: UserStore): Promise<void> {
  for (const person of people.filter(({ email }) => !users.findByEmail(email))) {
    const password = passwordOf(await hashPassword(peoplesPassword))
    users.create({ ...person, enabled: true, requiredActions: [], password })
  }
}
