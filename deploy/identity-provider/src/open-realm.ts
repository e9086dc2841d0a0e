import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Config } from './config.ts'
import { createMailer } from './mail.ts'
import { installPasswordGrant } from './oidc/password-grant.ts'
import { createProvider } from './oidc/provider.ts'
import type { Realm } from './realm.ts'
import { openDatabase } from './records.ts'
import { forever, type Keys, openStores, type Stores } from './stores.ts'

/** Opens the realm with its folder, keys and accounts. */
export async function openRealm(config: Config, logger: Logger): Promise<Realm> {
  const folder = join(config.DATA_DIR, 'parley')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const parts = {
    ...openStores(openDatabase(join(folder, 'records.sqlite'))),
    config,
    issuer: `${config.ISSUER_ORIGIN}/realms/parley`,
    sendMail: createMailer(config.SMTP_URL),
    logger,
  }
  const realm = { ...parts, provider: createProvider(parts, loadKeys(parts)) }
  installPasswordGrant(realm)
  return realm
}

/**
 * Returns the realm's own signing and cookie keys, made at the first start. The library's default keys are public: tokens signed
 * with them could be forged by anyone.
 */
function loadKeys({ keys }: Stores): Keys {
  const kept = keys.find('realm')
  if (kept) return kept
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signing = { kty: 'RSA', ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }
  const made = { signing, cookies: [randomBytes(32).toString('base64url')] }
  keys.put('realm', made, forever)
  return made
}
