import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../../platform/platform.ts'
import type { Records } from '../../../records.ts'
import { createRemoveFile } from '../../media/media.service.ts'
import { createReleasedNotes } from '../../media/released-notes.ts'
import { createPersonMessages } from '../messages/person-messages.ts'
import { createReplyFiles } from './reply-files.ts'

/** A colleague may be about to send what the reply has put into the composer. */
const keptMs = 3_600_000
const batchSize = 100
/** Files of automation whose records name files that flows send. */
const flowFiles = ['flow-contents', 'bots'] as const

/** Milliseconds in which a service has told all records of a workspace; the next time begins anew. */
const readMs = 10_000

type Dependencies = Pick<Platform, 'mongo' | 'openRecords' | 'logger'> &
  Pick<Records, 'isOfTemplate' | 'recipientFiles'>

/**
 * Deletes files of replies that have them no more. One content is stored once: what a message, another reply, a template or a flow has too
 * stays. Automation is asked by workers alone; where it does not answer, the file waits for the next time.
 */
export function createReleasedFiles({ mongo, openRecords, logger, isOfTemplate, recipientFiles }: Dependencies) {
  const notes = createReleasedNotes(mongo)
  const messages = createPersonMessages(mongo)
  const isOfReply = createReplyFiles(mongo)
  const removeFile = createRemoveFile(mongo)

  async function isUsed(scope: WorkspaceScope, mediaId: string): Promise<boolean> {
    if (await isOfReply(scope, mediaId)) return true
    if (await isOfTemplate(scope, mediaId)) return true
    if (await recipientFiles.hasFile(scope, mediaId)) return true
    if (await messages.hasFileElsewhere(scope, mediaId, [])) return true
    for (const file of flowFiles) if (await isNamedIn(await openRecords(scope, file), mediaId)) return true
    return false
  }

  return {
    /** Notes a file before its reply gives it up: one that the reply still has afterwards is not deleted. */
    note: notes.note,
    /** Deletes files that were given up an hour ago; to be called now and then. */
    sweep: async (now = new Date()): Promise<void> => {
      for (const due of await notes.due(new Date(now.getTime() - keptMs), batchSize)) {
        try {
          if (!(await isUsed(due, due.mediaId))) await removeFile(due, due.mediaId)
          await notes.remove(due)
        } catch (error) {
          logger.warn({ err: error }, 'files of saved replies wait: nobody knows whether a flow sends them')
          return
        }
      }
    },
  }
}

/** Tells whether a line of a service's records names a file. @throws where they do not come to their end in time. */
async function isNamedIn(records: Readable, mediaId: string): Promise<boolean> {
  const tooLong = setTimeout(() => records.destroy(new Error(`not within ${readMs / 1000} s`)), readMs)
  try {
    for await (const line of createInterface({ input: records }))
      if (line.includes(JSON.stringify(mediaId))) return true
    return false
  } finally {
    clearTimeout(tooLong)
    records.destroy()
  }
}
