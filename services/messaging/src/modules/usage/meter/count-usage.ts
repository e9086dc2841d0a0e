import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { NewUsageEntry, UsageCountsRepository } from './usage-counts.repository.ts'
import type { UsageWatchesRepository } from './usage-watches.repository.ts'

const quarterMs = 15 * 60_000
/** Causes of messages that are counted one by one: campaigns count theirs, and customers send none of ours. */
const single: ReadonlySet<string> = new Set(['member', 'bot', 'workflow', 'api'])
const chargedStates: ReadonlySet<string | undefined> = new Set(['sent', 'delivered', 'read'])

interface Dependencies {
  readonly counts: Pick<UsageCountsRepository, 'entriesOf' | 'store' | 'add'>
  readonly messageRecords: {
    readonly readMany: (
      scope: WorkspaceScope,
      ids: readonly string[],
      options: Pick<Tx, 'session'>,
    ) => PromiseLike<readonly MessageRecord[]>
  }
  readonly watches: Pick<UsageWatchesRepository, 'noteChange'>
}

/**
 * Counts what is sent one by one, in the transaction that marks the events of its messages as read. Each message has one entry,
 * and the counts change by what has changed in the entries: an event that comes again changes nothing.
 */
export function createCountUsage({ counts, messageRecords, watches }: Dependencies) {
  return async function countUsage(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const ids = [...new Set(events.flatMap((event) => (isOfSingle(event) ? event.data.messageId : [])))]
    if (ids.length === 0) return
    const messages = await messageRecords.readMany(scope, ids, tx)
    const stored = new Map((await counts.entriesOf(scope, ids, tx)).map((entry) => [entry.messageId, entry]))
    const changed = messages.filter(isSingle).flatMap((message) => {
      const entry = stored.get(message.id) ?? entryOf(message)
      const isTaken = chargedStates.has(message.status)
      return entry.counts === isTaken ? [] : [{ ...entry, counts: isTaken }]
    })
    if (changed.length === 0) return
    await counts.store(scope, changed, tx)
    await counts.add(scope, differencesOf(changed), tx)
    await watches.noteChange(scope, tx)
  }
}

function isOfSingle(event: RecordedEvent): event is RecordedEvent & { type: 'message.changed' } {
  if (event.type !== 'message.changed' || event.data.direction !== 'outbound') return false
  return event.data.cause === undefined || single.has(event.data.cause)
}

const isSingle = ({ direction, cause, sample }: MessageRecord): boolean =>
  direction === 'outbound' && single.has(cause.kind) && sample !== true

const entryOf = ({ id, content, sentAt }: MessageRecord): NewUsageEntry => ({
  messageId: id,
  kind: content.type === 'template' ? 'credit' : 'message',
  from: quarterOf(sentAt),
  counts: false,
})

/** Returns the start of the quarter of an hour of a moment. */
export const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs)

function differencesOf(changed: readonly NewUsageEntry[]) {
  const quarters = Map.groupBy(changed, ({ from }) => from.getTime())
  return [...quarters].map(([from, entries]) => {
    const sum = (some: readonly NewUsageEntry[]) => some.reduce((total, { counts }) => total + (counts ? 1 : -1), 0)
    return {
      from: new Date(from),
      messages: sum(entries),
      credits: sum(entries.filter(({ kind }) => kind === 'credit')),
    }
  })
}
