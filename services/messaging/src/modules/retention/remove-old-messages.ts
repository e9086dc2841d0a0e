import { insertEntry } from '@parley/service-kit/data/audit-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { createNoteErased } from '../analytics/erased-figures.ts'
import { monthsBefore } from '../campaigns/recipients/old-rows.ts'
import { createForgetLastMessages } from '../inbox/conversations/forget-last-messages.ts'
import type { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import { mediaOf } from '../inbox/messages/message-files.ts'
import type { MessageRecord } from '../inbox/messages/messages.service.ts'
import { createOldMessages } from '../inbox/messages/old-messages.ts'
import { createPersonMessages } from '../inbox/messages/person-messages.ts'
import { createRemoveSearchTerms } from '../inbox/search/person-search-terms.ts'
import { createReleasedNotes } from '../media/released-notes.ts'
import { monthsAt } from './kept-months.ts'
import type { RetentionRecord } from './message-retention.model.ts'
import type { RetentionRepository } from './message-retention.repository.ts'

const hourMs = 3600_000
/** Milliseconds between two looks of a workspace for messages that have become too old. */
const everyMs = 6 * hourMs

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly records: RetentionRepository
  readonly counted: Pick<ReturnType<typeof createCountedMessages>, 'numberIds'>
  readonly transaction: RunInTransaction
  /** Messages of one transaction; a job has several, so that other work comes in between. */
  readonly batchSize?: number
  readonly batches?: number
  readonly now?: () => Date
}

/**
 * Deletes messages that a workspace keeps no longer, the oldest first, in small transactions, each only while the setting is as it was
 * read. Their files and words go with them, figures stay. Another worker continues after a crash.
 */
export function createOldMessageRemoval(deps: Dependencies) {
  const { mongo, records, counted, transaction, batchSize = 200, batches = 10, now = () => new Date() } = deps
  const old = createOldMessages(mongo)
  const messages = createPersonMessages(mongo)
  const forgetLast = createForgetLastMessages(mongo)
  const removeTerms = createRemoveSearchTerms(mongo)
  const noteErased = createNoteErased(mongo)
  const released = createReleasedNotes(mongo)

  /** Has the files of these messages deleted later, unless something has them still: a message that stays, a reply, a template, a flow. */
  async function giveUpFiles(scope: WorkspaceScope, batch: readonly MessageRecord[]): Promise<void> {
    for (const mediaId of new Set(batch.flatMap(mediaOf))) await released.note(scope, mediaId)
  }

  /** Deletes some messages. @returns their number; undefined where the setting has changed. */
  async function removeSome(record: RetentionRecord, numberId: string, before: Date): Promise<number | undefined> {
    const batch = await old.some(record, numberId, before, batchSize)
    if (batch.length === 0) return 0
    const ids = batch.map(({ id }) => id)
    await giveUpFiles(record, batch)
    return transaction(async (tx) => {
      // One that somebody has sent again meanwhile stays.
      const found = (await messages.byIds(record, ids, tx)).filter(({ sendLane }) => sendLane === undefined)
      if (!(await records.count(record, record, found.length, tx))) return undefined
      const gone = found.map(({ id }) => id)
      await removeTerms(record, gone, tx)
      await noteErased(record, found, tx)
      await messages.remove(record, gone, tx)
      await forgetLast(record, [...new Set(found.map(({ conversationId }) => conversationId))], before, tx)
      return batch.length
    })
  }

  async function perform(scope: WorkspaceScope, requeue: () => void): Promise<void> {
    const at = now()
    const record = await records.read(scope)
    if (!record?.dueAt || record.dueAt > at) return
    const months = monthsAt(record, at)
    if (months !== null) {
      const before = monthsBefore(at, months)
      let left = batches
      for (const numberId of await counted.numberIds(scope))
        for (let removed = 1; removed > 0; left -= 1) {
          if (left === 0) return requeue()
          const found = await removeSome(record, numberId, before)
          // The change has its own job.
          if (found === undefined) return
          removed = found
        }
    }
    await end(scope, at)
  }

  /** Tells the audit log and open pages what is gone, and when to look again: not later than a shorter time begins to hold. */
  const end = (scope: WorkspaceScope, at: Date) =>
    transaction(async (tx) => {
      const record = await records.read(scope, tx)
      if (!record) return
      const { removed, next, by, id, workspaceId } = record
      const usual = new Date(at.getTime() + everyMs)
      const dueAt = next && next.from > at && next.from < usual ? next.from : usual
      await records.end(scope, record, dueAt, tx)
      if (removed === 0) return
      tx.emit({ workspaceId, type: 'messages.removed', by: { kind: 'system' }, data: { count: removed } })
      await insertEntry(
        mongo,
        {
          workspaceId,
          actor: { kind: 'member', id: by },
          action: 'jobs.end',
          targets: [{ kind: 'messageRetention', id }],
          changes: [{ field: 'done', to: removed }],
          outcome: 'done',
          requestId: '',
          personal: {},
        },
        tx.session,
      )
    })

  return {
    perform,
    due: async () => (await records.due(now())).map(({ workspaceId }) => workspaceId),
  }
}
