import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import {
  type ScopedCollection,
  scopedCollection,
  type WorkspaceScope,
  workspaceCollection,
} from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type NumberRecord, numberSchema } from './numbers.model.ts'

export type NewNumberRecord = Omit<NumberRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'>
export type NumberChange = Parameters<ScopedCollection<NumberRecord>['findOneAndUpdate']>[1]
export type NumbersRepository = ReturnType<typeof createNumbersRepository>

/** Maximum numbers connected to one workspace. */
export const maxNumbers = 100

const isConnected = { connected: { $exists: true } }

export function createNumbersRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'numbers', schema: numberSchema }
  const numbers = workspaceCollection<NumberRecord>(definition)
  const byPhoneNumberId = scopedCollection<{ connected: string }, NumberRecord>(definition, ({ connected }) => ({
    connected,
  }))
  const byAccount = scopedCollection<{ businessAccountId: string }, NumberRecord>(
    definition,
    ({ businessAccountId }) => ({ businessAccountId }),
  )
  // A number that is stopped is shown as disconnected.
  const disconnected = scopedCollection<object, NumberRecord>(definition, () => ({ status: 'disconnected' }))
  return {
    create: (scope: WorkspaceScope, number: NewNumberRecord, { session }: Tx) =>
      numbers(scope).create(number, { session }),
    /** A connected number. */
    read: (scope: WorkspaceScope, id: string, options: SessionOption = {}) =>
      numbers(scope).findOne({ _id: id, ...isConnected }, options),
    list: (scope: WorkspaceScope, options: SessionOption = {}): PromiseLike<NumberRecord[]> =>
      numbers(scope)
        .find(isConnected)
        .sort({ _id: 1 })
        .limit(maxNumbers)
        .hint('workspace')
        .session(options.session ?? null),
    /** The same number cannot be connected twice, in whichever workspace. */
    owner: (phoneNumberId: string) => byPhoneNumberId({ connected: phoneNumberId }).findOne({}),
    /** An account's webhooks go to one workspace. */
    ownerOfAccount: (businessAccountId: string) =>
      byAccount({ businessAccountId }).findOne(isConnected, { hint: 'account' }),
    /** Reads numbers, removed ones too, as conversations may name them. */
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<NumberRecord[]> =>
      numbers(scope).find({ _id: { $in: ids } }),
    /** Returns the ids of all numbers, past and present. */
    allIds: async (scope: WorkspaceScope): Promise<string[]> =>
      (await numbers(scope).find({}).select('_id').hint('workspace')).map(({ id }) => id),
    /** Finds numbers, removed ones included, by WhatsApp's ids. */
    find: (
      scope: WorkspaceScope,
      phoneNumberIds: readonly string[],
      options: SessionOption = {},
    ): PromiseLike<NumberRecord[]> =>
      numbers(scope)
        .find({ phoneNumberId: { $in: phoneNumberIds } })
        .hint('own')
        .session(options.session ?? null),
    change: (scope: WorkspaceScope, id: string, update: NumberChange, options: SessionOption = {}) =>
      numbers(scope).findOneAndUpdate({ _id: id }, update, options),
    changeVersion: (
      scope: WorkspaceScope,
      change: { id: string; version: number; update: NumberChange; toAnswer: (record: NumberRecord) => unknown },
      { session }: Tx,
    ) => updateVersion(numbers(scope), change, { session }),
    /** Clears the default from every other number. */
    noOtherDefault: (scope: WorkspaceScope, id: string, { session }: Tx) =>
      numbers(scope).updateMany({ _id: { $ne: id }, isDefault: true }, { $set: { isDefault: false } }, { session }),
    /** Returns numbers of all workspaces from which nothing leaves, 1,000 at most. */
    stopped: (): PromiseLike<NumberRecord[]> =>
      disconnected({})
        .find({ 'stopped.at': { $gt: new Date(0) } })
        .limit(1000)
        .hint('stopped'),
    /** Counts numbers of all workspaces from which nothing leaves, by the keys of an index. */
    countStopped: async (): Promise<{ real: number; simulated: number }> => {
      const count = (simulated: boolean) =>
        disconnected({}).countDocuments({ simulated, 'stopped.at': { $gt: new Date(0) } }, { hint: 'stopped' })
      return { real: await count(false), simulated: await count(true) }
    },
  }
}
