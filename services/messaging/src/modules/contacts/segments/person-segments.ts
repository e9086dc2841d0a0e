import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type SegmentRecord, segmentSchema } from './segments.model.ts'

/** Segments, as an erasure looks through them. */
export function createPersonSegments(connection: ServiceConnection) {
  const segments = workspaceCollection<SegmentRecord>({ connection, name: 'segments', schema: segmentSchema })
  return {
    /** Texts that members have typed into each: its name, and its conditions. */
    async *typed(scope: WorkspaceScope): AsyncGenerator<{ id: string; texts: unknown }> {
      for await (const { id, name, filter } of segments(scope).find({}).hint('name'))
        yield { id, texts: [name, filter] }
    },
    named: async (scope: WorkspaceScope, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
      segments(scope).find({ _id: { $in: ids } }),
  }
}
