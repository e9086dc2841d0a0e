import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { unreadable } from './ingest.service.ts'
import { type RawEventRecord, rawEventSchema } from './raw-events.model.ts'

const batchSize = 500

/** Deletes WhatsApp's events about a person, applied or not: they are kept for days as received. */
export function createRemoveEvents(connection: ServiceConnection) {
  const events = workspaceCollection<RawEventRecord>({ connection, name: 'rawEvents', schema: rawEventSchema })

  async function remove(scope: WorkspaceScope, filter: Filter<RawEventRecord>, index: string): Promise<void> {
    for (;;) {
      const found = await events(scope).find(filter).select('_id').limit(batchSize).hint(index)
      if (found.length === 0) return
      await events(scope).deleteMany({ _id: { $in: found.map(({ id }) => id) } })
    }
  }

  return {
    about: (scope: WorkspaceScope, waMessageIds: readonly string[]) =>
      remove(scope, { waMessageId: { $in: waMessageIds } }, 'message'),
    naming: async (scope: WorkspaceScope, person: RegExp): Promise<void> => {
      const payload = { $regex: person.source }
      for (const { filter, index } of places) await remove(scope, { ...filter, payload }, index)
      // A body that is no webhook is kept as it came, in base64.
      for await (const { id, payload: body } of events(scope).find({ kind: 'other', field: unreadable }).hint('other'))
        if (person.test(plainOf(body))) await events(scope).deleteOne({ _id: id })
    },
  }
}

/** Places of a person in events: together every event has an index. */
const places = [
  { filter: { waMessageId: { $exists: true } }, index: 'message' },
  { filter: { kind: 'other' as const }, index: 'other' },
  { filter: { deadAt: { $exists: true } }, index: 'dead' },
]

/** The body as it came. */
const plainOf = (payload: string): string =>
  Buffer.from(/"base64":"([^"]*)"/.exec(payload)?.[1] ?? '', 'base64').toString('utf8')
