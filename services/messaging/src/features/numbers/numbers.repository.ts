import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type NumberRecord, numberSchema } from './numbers.model.ts'

export type NewNumberRecord = Omit<NumberRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'>
export type NumbersRepository = ReturnType<typeof createNumbersRepository>

export function createNumbersRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'numbers', schema: numberSchema }
  const numbers = workspaceCollection<NumberRecord>(definition)
  const byPhoneNumberId = scopedCollection<{ phoneNumberId: string }, NumberRecord>(
    definition,
    ({ phoneNumberId }) => ({
      phoneNumberId,
    }),
  )
  return {
    create: (scope: WorkspaceScope, number: NewNumberRecord) => numbers(scope).create(number),
    read: (scope: WorkspaceScope, id: string) => numbers(scope).findOne({ _id: id }),
    list: (scope: WorkspaceScope, options: SessionOption = {}): PromiseLike<NumberRecord[]> =>
      numbers(scope)
        .find({})
        .sort({ _id: 1 })
        .limit(200)
        .hint('workspace')
        .session(options.session ?? null),
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<NumberRecord[]> =>
      numbers(scope).find({ _id: { $in: ids } }),
    change: (
      scope: WorkspaceScope,
      id: string,
      { set, unset }: { set: Record<string, unknown>; unset: readonly string[] },
      options: SessionOption,
    ) =>
      numbers(scope).findOneAndUpdate(
        { _id: id },
        { $set: set, ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }) },
        options,
      ),
    saw: (scope: WorkspaceScope, id: string, at: Date) =>
      numbers(scope).updateOne({ _id: id }, { $max: { lastEventAt: at } }),
    /** The same number cannot be connected twice, in whichever workspace. */
    isConnected: async (phoneNumberId: string) => (await byPhoneNumberId({ phoneNumberId }).findOne({})) !== null,
    find: (scope: WorkspaceScope, phoneNumberIds: readonly string[]): PromiseLike<NumberRecord[]> =>
      numbers(scope)
        .find({ phoneNumberId: { $in: phoneNumberIds } })
        .hint('phone-number-id'),
    stop: (
      scope: WorkspaceScope,
      id: string,
      stopped: NonNullable<NumberRecord['stopped']>,
      options: SessionOption = {},
    ) => numbers(scope).findOneAndUpdate({ _id: id, stopped: { $exists: false } }, { $set: { stopped } }, options),
    resume: (scope: WorkspaceScope, id: string, accessToken: string) =>
      numbers(scope).findOneAndUpdate({ _id: id }, { $set: { accessToken }, $unset: { stopped: '' } }),
  }
}
