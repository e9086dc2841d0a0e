import { defaultSendingHours, type SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type SendingHoursRecord, sendingHoursSchema } from './sending-hours.model.ts'

export type SendingHoursService = ReturnType<typeof createSendingHours>

const recordsOf = (connection: ServiceConnection) =>
  workspaceCollection<SendingHoursRecord>({ connection, name: 'sendingHours', schema: sendingHoursSchema })

/** Reads them alone. */
export function createReadHours(connection: ServiceConnection) {
  const records = recordsOf(connection)
  return async (scope: WorkspaceScope): Promise<SendingHours> => {
    const record = await records(scope).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultSendingHours
  }
}

/** Stores the hours in which marketing campaigns are sent. */
export function createSendingHours({
  mongo,
  transaction,
  moveSchedules,
}: {
  readonly mongo: ServiceConnection
  readonly transaction: RunInTransaction
  /** Moves messages scheduled by the clock of the old zone to the clock of the new one. */
  readonly moveSchedules: (scope: WorkspaceScope, zone: string, tx: Tx) => Promise<void>
}) {
  const records = recordsOf(mongo)
  const read = createReadHours(mongo)

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...hours }: SendingHours): Promise<SendingHours> {
    const changed = await transaction(async (tx) => {
      const before = await records(scope).findOne({}, { hint: 'workspace', session: tx.session })
      const record =
        version === 0
          ? await records(scope).create(hours, tx)
          : await records(scope).findOneAndUpdate({ version }, { $set: hours }, { session: tx.session })
      if (record && (before ?? defaultSendingHours).zone !== hours.zone) await moveSchedules(scope, hours.zone, tx)
      return record
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) return null
      throw error
    })
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  /** Names the zone by whose clock the workspace plans. */
  const zoneOf = async (scope: WorkspaceScope): Promise<string> => (await read(scope)).zone

  return { read, zoneOf, update }
}

const shown = ({ limited, zone, opens, closes, version }: SendingHoursRecord): SendingHours => ({
  limited,
  zone,
  opens,
  closes,
  version,
})
