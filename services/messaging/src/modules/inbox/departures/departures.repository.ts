import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type DepartureRecord, departureSchema } from './departures.model.ts'

const maxDue = 500

export function createDeparturesRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'departures', schema: departureSchema }
  const departures = workspaceCollection<DepartureRecord>(definition)
  const everywhere = scopedCollection<object, DepartureRecord>(definition, () => ({ state: 'leaving' }))

  return {
    begin: (
      scope: WorkspaceScope,
      { userId, ...fields }: Pick<DepartureRecord, 'userId' | 'by' | 'until' | 'dueAt'>,
      options: Required<SessionOption>,
    ) =>
      departures(scope).findOneAndUpdate(
        { userId },
        { $set: { ...fields, state: 'leaving' } },
        { ...options, upsert: true },
      ),
    /** The member is back. */
    forget: (scope: WorkspaceScope, userId: string, options: Required<SessionOption>) =>
      departures(scope).deleteMany({ userId }, options),
    find: (scope: WorkspaceScope, id: string) => departures(scope).findOne({ _id: id }),
    /** Schedules the next check, or removes a departure that was not started again. */
    postpone: (scope: WorkspaceScope, { id, until }: DepartureRecord) =>
      departures(scope).updateOne({ _id: id }, { $set: { dueAt: until } }),
    end: (scope: WorkspaceScope, { id, until }: DepartureRecord) => departures(scope).deleteOne({ _id: id, until }),
    due: (now: Date): PromiseLike<DepartureRecord[]> =>
      everywhere({})
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(maxDue)
        .hint('due'),
  }
}
