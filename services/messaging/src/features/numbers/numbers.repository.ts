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
    list: (scope: WorkspaceScope): PromiseLike<NumberRecord[]> =>
      numbers(scope).find({}).sort({ _id: 1 }).limit(200).hint('workspace'),
    /** The same number cannot be connected twice, in whichever workspace. */
    isConnected: async (phoneNumberId: string) => (await byPhoneNumberId({ phoneNumberId }).findOne({})) !== null,
    find: (scope: WorkspaceScope, phoneNumberId: string) => numbers(scope).findOne({ phoneNumberId }),
    stop: (scope: WorkspaceScope, id: string, stopped: NonNullable<NumberRecord['stopped']>) =>
      numbers(scope).findOneAndUpdate({ _id: id, stopped: { $exists: false } }, { $set: { stopped } }),
    resume: (scope: WorkspaceScope, id: string, accessToken: string) =>
      numbers(scope).findOneAndUpdate({ _id: id }, { $set: { accessToken }, $unset: { stopped: '' } }),
  }
}
