import { createReadStream } from 'node:fs'
import { mediaFiles } from '@parley/sample/media-files'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MediaService } from './media.service.ts'

const limitBytes = 100 * 1024

/** The files of the sample data, stored and served as any other: what is there already is not stored again. */
export function createSampleMedia(
  save: MediaService['save'],
  released: { readonly note: (scope: WorkspaceScope, mediaId: string) => Promise<void> },
) {
  return {
    /** @returns ids of files in the workspace by the ids that messages of the sample name them by. */
    insert: async (scope: WorkspaceScope): Promise<ReadonlyMap<string, string>> => {
      const stored = mediaFiles().map(async ({ mediaId, file }) => {
        const { id } = await save(scope, { content: createReadStream(file), accept: 'any', limitBytes })
        return [mediaId, id] as const
      })
      return new Map(await Promise.all(stored))
    },
    /** Has files deleted later, unless something has them: a member may have sent one, or a flow sends it. */
    giveUp: async (scope: WorkspaceScope, mediaIds: readonly string[]): Promise<void> => {
      for (const mediaId of mediaIds) await released.note(scope, mediaId)
    },
  }
}
