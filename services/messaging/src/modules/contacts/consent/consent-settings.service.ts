import { createHmac, randomBytes } from 'node:crypto'
import { type ConsentSettings, consentSettingsSchema, defaultConsentSettings } from '@parley/contracts/contacts/consent'
import { errors } from '@parley/service-kit/core/errors'
import { Secret, type SecretBox } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { LRUCache } from 'lru-cache'
import type { SettingsRecord } from './consent.model.ts'
import type { ConsentRepository } from './consent.repository.ts'

const hashKeyField = 'consentSettings.hashKey'

export type ConsentSettingsService = ReturnType<typeof createConsentSettings>

/** A workspace's rules about consent, and the secret by which it knows addresses that have opted out. */
export function createConsentSettings({
  consent,
  box,
  transaction,
}: {
  consent: Pick<ConsentRepository, 'readSettings' | 'ensureSettings' | 'updateSettings'>
  box: SecretBox
  transaction: RunInTransaction
}) {
  const hashKeys = new LRUCache<string, Secret>({ max: 10_000 })

  /** Reads the settings, and creates them when they are first needed. */
  async function ensure(scope: WorkspaceScope): Promise<SettingsRecord> {
    const known = await consent.readSettings(scope)
    if (known) return known
    const hashKey = box.seal(new Secret(randomBytes(32).toString('base64')), placeOf(scope))
    const made = await consent.ensureSettings(scope, { ...defaultConsentSettings, hashKey })
    if (!made) throw errors.serviceUnavailable(new Error('an upsert answered with nothing'))
    return made
  }

  const read = async (scope: WorkspaceScope): Promise<ConsentSettings> => shown(await ensure(scope))

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, settings: ConsentSettings): Promise<ConsentSettings> {
    const { id } = await ensure(scope)
    return transaction(async (tx) => shown(await consent.updateSettings(scope, { id, ...settings }, shown, tx)))
  }

  /** @returns the hash of an opted-out address: the database alone does not reveal the address. */
  async function hashing(scope: WorkspaceScope): Promise<(address: string) => string> {
    const known = hashKeys.get(scope.workspaceId)
    const key = known ?? box.open((await ensure(scope)).hashKey, placeOf(scope))
    if (!known) hashKeys.set(scope.workspaceId, key)
    return (address) => createHmac('sha256', key.reveal()).update(address).digest('base64url')
  }

  /** Tells whether marketing goes only to people who have agreed to it. */
  const needsOptIn = async (scope: WorkspaceScope): Promise<boolean> => (await read(scope)).needsOptIn

  return { read, needsOptIn, update, hashing }
}

const placeOf = ({ workspaceId }: WorkspaceScope) => ({ workspaceId, field: hashKeyField })

const shown = (record: SettingsRecord): ConsentSettings => consentSettingsSchema.parse(record)
