import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'
import { awaitedFileOf } from '../../inbox/messages/awaited-file.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import { failed, type Settlement } from '../sending/settlements.ts'
import type { RecipientFilesRepository } from './recipient-files.repository.ts'

/** Milliseconds until a message whose file is on its way is looked at again: the longer it has waited, the later. */
export const lookAgainMs = 1000
const maxLookAgainMs = 10_000
const pauseFor = (waitedMs: number): number => Math.min(maxLookAgainMs, Math.max(lookAgainMs, waitedMs / 4))

export type AwaitFiles = ReturnType<typeof createAwaitFiles>

/** Puts the files of their own above messages that are to leave. */
export function createAwaitFiles({
  recipientFiles,
  outbox,
  now = () => new Date(),
}: {
  recipientFiles: Pick<RecipientFilesRepository, 'readMany'>
  outbox: Pick<Outbox, 'change' | 'defer'>
  now?: Clock
}) {
  /** @returns those that wait for no file, the ends of those whose file has failed, whether there is more to do at once, and whether some wait. */
  return async function awaitFiles(scope: WorkspaceScope, due: readonly MessageRecord[]) {
    const waiting = due.flatMap((message) => {
      const file = awaitedFileOf(message)
      return file ? [{ message, file }] : []
    })
    if (waiting.length === 0) return { free: due, ended: [], isMore: false, waits: false }
    const found = await recipientFiles.readMany(scope, [...new Set(waiting.map(({ file }) => file.id))])
    const byId = new Map(found.map((record) => [record.id, record]))
    const ended: { message: MessageRecord; result: Settlement }[] = []
    const filled: Parameters<Outbox['change']>[1][number][] = []
    const later: MessageRecord[] = []
    for (const { message, file } of waiting) {
      const record = byId.get(file.id)
      if (record?.state === 'ready') {
        const { mediaId, mimeType, sizeBytes } = record
        const header = { kind: file.kind, mediaId, mimeType, sizeBytes, fileName: file.fileName }
        // By it people see the file who see the conversation, and it goes with the last of them who is erased.
        const set = { 'content.header': header, 'content.mediaId': mediaId }
        filled.push({ id: message.id, version: message.version, set, unset: ['content.awaitedFile'] })
      } else if (record?.state === 'waiting') later.push(message)
      else
        ended.push({
          message,
          result: failed(
            message,
            { code: record?.code ?? fileFaultCodes.gone, message: record?.detail ?? 'It was deleted.' },
            now(),
          ),
        })
    }
    await outbox.change(scope, filled)
    // Messages of colleagues to the same customer do not wait for the file.
    if (later.length > 0)
      await outbox.defer(
        scope,
        later.map((message) => ({
          message,
          notBefore: new Date(now().getTime() + pauseFor(now().getTime() - message.sentAt.getTime())),
          isLate: true,
          slotTaken: message.dispatch?.slotTaken ?? false,
          passable: true,
        })),
      )
    return {
      free: due.filter((message) => !awaitedFileOf(message)),
      ended,
      isMore: filled.length + later.length > 0,
      waits: later.length > 0,
    }
  }
}
