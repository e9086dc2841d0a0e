import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../../platform/platform.ts'
import type { Records } from '../../../records.ts'
import { createRemoveFile } from '../../media/media.service.ts'
import { createReleasedNotes } from '../../media/released-notes.ts'

/** A colleague may be about to send what the reply has put into the composer. */
const keptMs = 3_600_000
const batchSize = 500
/** Files of automation whose records name files that flows send. */
const flowFiles = ['flow-contents', 'bots'] as const

/** Milliseconds in which a service has told all records of a workspace; the next time begins anew. */
const readMs = 10_000

type Dependencies = Pick<Platform, 'mongo' | 'openRecords' | 'logger'> & {
  readonly fileHolders: Pick<Records['fileHolders'], 'isHeld'>
}

/**
 * Deletes files that replies, templates and deleted messages have given up. One content is stored once: what something else, or a flow, has
 * too stays. Automation is asked by workers alone; where it does not answer, the file waits for the next time.
 */
export function createReleasedFiles(deps: Dependencies) {
  const { mongo, openRecords, logger, fileHolders } = deps
  const notes = createReleasedNotes(mongo)
  const removeFile = createRemoveFile(mongo)

  /** Returns those of some files that nothing has any more: what flows send is read once for all of them. */
  async function unusedOf(scope: WorkspaceScope, mediaIds: readonly string[]): Promise<ReadonlySet<string>> {
    const unused = new Set<string>()
    for (const mediaId of mediaIds) if (!(await fileHolders.isHeld(scope, mediaId))) unused.add(mediaId)
    for (const file of flowFiles) if (unused.size > 0) await leaveOutNamed(await openRecords(scope, file), unused)
    return unused
  }

  async function remove({ workspaceId, mediaId }: { readonly workspaceId: string; readonly mediaId: string }) {
    await removeFile({ workspaceId }, mediaId)
    await notes.end({ workspaceId, mediaId })
  }

  return {
    /** Notes a file before it is given up: one that is still held afterwards is not deleted. */
    note: notes.note,
    /** Deletes files that were given up an hour ago; to be called now and then. Those of a workspace that cannot be asked wait another hour. */
    sweep: async (now = new Date()): Promise<void> => {
      const due = await notes.due(new Date(now.getTime() - keptMs), batchSize)
      for (const [workspaceId, files] of Map.groupBy(due, (note) => note.workspaceId)) {
        const scope = { workspaceId }
        try {
          // Those of a process that was killed while it deleted them: nothing has taken them since.
          for (const file of files) if (file.isGoing) await remove(file)
          const waiting = files.filter(({ isGoing }) => !isGoing)
          const mediaIds = waiting.map(({ mediaId }) => mediaId)
          const unused = await unusedOf(scope, mediaIds)
          for (const file of waiting)
            if (!unused.has(file.mediaId)) await notes.remove(file)
            else if (await notes.begin(file)) await remove(file)
        } catch (error) {
          logger.warn(
            { err: error, workspaceId },
            'files that were given up wait: nobody knows whether a flow sends them',
          )
          for (const { mediaId } of files) await notes.renew(scope, mediaId)
        }
      }
    },
  }
}

/** Takes files out that a line of a service's records names. @throws where the records do not come to their end in time. */
async function leaveOutNamed(records: Readable, mediaIds: Set<string>): Promise<void> {
  const tooLong = setTimeout(() => records.destroy(new Error(`not within ${readMs / 1000} s`)), readMs)
  try {
    for await (const line of createInterface({ input: records }))
      for (const mediaId of mediaIds) if (line.includes(JSON.stringify(mediaId))) mediaIds.delete(mediaId)
  } finally {
    clearTimeout(tooLong)
    records.destroy()
  }
}
