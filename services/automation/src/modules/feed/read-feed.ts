import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Platform, Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import type { RunRecord, RunsRepository } from '../runs/runs.service.ts'
import { type Applied, createApplyEvents, type Known } from './apply-events.ts'
import { type FeedCursorRecord, feedCursorSchema } from './feed-cursors.model.ts'
import type { SampleChanges } from './sample-changes.ts'

const batchSize = 100
/** Tries after which an event that cannot be applied goes to people. */
const maxFailures = 5

interface Dependencies extends Pick<Platform, 'mongo' | 'transaction' | 'askMessaging' | 'logger'> {
  readonly runs: RunsRepository
  readonly attention: AttentionService
  readonly sample: SampleChanges
  readonly worlds: Worlds
  readonly now: () => Promise<number>
  /** Has what was stored worked on, and pages told. */
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
}

/** The place up to which each workspace's events have been applied. */
export const createFeedCursors = (connection: ServiceConnection) =>
  workspaceCollection<FeedCursorRecord>({ connection, name: 'feedCursors', schema: feedCursorSchema })

/** Reads messaging's log of events: each takes effect once, whatever dies when. */
export function createReadFeed(dependencies: Dependencies) {
  const { mongo, transaction, askMessaging, runs, attention, sample, worlds, now, tell, logger } = dependencies
  const cursors = createFeedCursors(mongo)
  const { applyEvents } = createApplyEvents({ runs, attention })

  /** Workspaces that have events which were not read. */
  const due = async () =>
    (await askMessaging({ workspaceId: '' }, messagingInternalApi.due, { query: {} })).workspaceIds

  /** Reads what is new in the workspaces of a lane. @returns whether there may be more. */
  async function drain(lane: number): Promise<boolean> {
    let hasMore = false
    for (const workspaceId of await due())
      if (laneOf(workspaceId) === lane) hasMore = (await readOn({ workspaceId })) || hasMore
    return hasMore
  }

  /** Where a workspace has been read up to; it begins at the head and never in the past. */
  async function begin(scope: WorkspaceScope): Promise<FeedCursorRecord> {
    const known = await cursors(scope).findOne({}, { hint: 'workspace' })
    if (known) return known
    const { head } = await askMessaging(scope, messagingInternalApi.events, { query: { limit: 1 } })
    // What was loaded before is in no event that will be read.
    const loaded = await sample.load(scope)
    const begun = await transaction(async (tx) => {
      const created = await cursors(scope).create({ seq: head }, { session: tx.session })
      await loaded(tx)
      return created
    }).catch(async (error: unknown) => {
      const other = isDuplicateKey(error) ? await cursors(scope).findOne({}, { hint: 'workspace' }) : null
      if (!other) throw error
      return other
    })
    sample.tellPages(scope)
    return begun
  }

  async function readOn(scope: WorkspaceScope): Promise<boolean> {
    const cursor = await begin(scope)
    const page = await askMessaging(scope, messagingInternalApi.events, {
      query: { after: cursor.seq, limit: batchSize },
    })
    // The schema has checked each one's data by its type.
    const items = page.items as object[] as RecordedEvent[]
    const { events, upTo } = firstPart(
      items.filter(({ seq }) => seq > cursor.seq),
      page.upTo,
    )
    const passed = await applyTogether(scope, cursor, events, upTo).catch((error: unknown) => {
      logger.warn({ err: error, ...scope, events: events.length }, 'a batch of events could not be applied')
      return applyOneByOne(scope, cursor, events, upTo)
    })
    if (passed === undefined) return false
    await askMessaging(scope, messagingInternalApi.read, {
      body: { upTo, passed: [...passed].slice(0, 200) },
    })
    return upTo < page.head
  }

  /** A batch that fails is tried event by event, so that only the one that is at fault waits or goes to people. */
  async function applyOneByOne(
    scope: WorkspaceScope,
    cursor: FeedCursorRecord,
    events: readonly RecordedEvent[],
    upTo: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const passed = new Set<string>()
    let latest = cursor
    for (const [index, event] of events.entries()) {
      const end = index === events.length - 1 ? upTo : event.seq
      try {
        for (const id of await applyTogether(scope, latest, [event], end)) passed.add(id)
      } catch (error) {
        const failures = latest.failedSeq === event.seq ? (latest.failures ?? 0) + 1 : 1
        logger.error({ err: error, ...scope, seq: event.seq, failures }, 'an event could not be applied')
        if (failures < maxFailures) {
          await cursors(scope).updateOne({ seq: latest.seq }, { $set: { failedSeq: event.seq, failures } })
          return undefined
        }
        const conversationId = event.snapshot?.conversation?.id ?? event.conversationId
        await giveUp(scope, { latest, event, end, conversationId })
        if (conversationId !== undefined) passed.add(conversationId)
      }
      latest = { ...latest, seq: end, failures: 0 }
    }
    return passed
  }

  /** Leaves an event that cannot be applied to people. */
  async function giveUp(
    scope: WorkspaceScope,
    of: { latest: FeedCursorRecord; event: RecordedEvent; end: number; conversationId: string | undefined },
  ): Promise<void> {
    const { latest, event, end, conversationId } = of
    const sentence = 'Something that happened could not be handled by bots. Read the conversation and answer.'
    const groupKey = `apply_failed:${conversationId ?? event.id}`
    await transaction(async (tx) => {
      await attention.raise(scope, [{ code: 'apply_failed', sentence, conversationId, groupKey }], tx)
      await moveCursor(scope, latest, end, tx)
    })
  }

  async function moveCursor(scope: WorkspaceScope, { seq }: FeedCursorRecord, to: number, { session }: Session) {
    const moved = await cursors(scope).updateOne({ seq }, { $set: { seq: to, failures: 0 } }, { session })
    if (moved.matchedCount !== 1) throw new Error('these events were applied by another worker')
  }

  /** Applies events and moves the cursor, together or not at all. @returns conversations that no bot wanted. */
  async function applyTogether(
    scope: WorkspaceScope,
    cursor: FeedCursorRecord,
    events: readonly RecordedEvent[],
    upTo: number,
  ): Promise<ReadonlySet<string>> {
    if (upTo === cursor.seq) return new Set()
    const known = await readKnown(scope, events)
    const time = await now()
    const changeSample = await prepareSample(scope, events)
    const { changed, effects }: Applied = await transaction(async (tx) => {
      await moveCursor(scope, cursor, upTo, tx)
      await changeSample?.(tx)
      return applyEvents(scope, events, { world: worlds(scope, time), known, tx })
    })
    tell(scope, changed)
    if (changeSample) sample.tellPages(scope)
    return effects.passed
  }

  /** What a change of the sample data, which comes by itself, does in its transaction. */
  async function prepareSample(scope: WorkspaceScope, [event]: readonly RecordedEvent[]) {
    if (event?.type !== 'sample_data.changed') return undefined
    if (event.data.state === 'loaded') return sample.load(scope)
    return event.data.state === 'cleared' ? sample.clear(scope) : undefined
  }

  async function readKnown(scope: WorkspaceScope, events: readonly RecordedEvent[]): Promise<Known> {
    const messages = events.flatMap((event) => (event.type === 'message.changed' ? event.data : []))
    const texts = new Map<string, string>()
    for (const { messageId, said } of messages) {
      if (!said?.cut) continue
      const text = await askMessaging(scope, messagingInternalApi.text, { params: { id: messageId } }).then(
        (answer) => answer.text,
        () => undefined,
      )
      if (text !== undefined) texts.set(messageId, text)
    }
    return { texts }
  }

  return { drain, due, begin, readOn }
}

const isOfSample = ({ type }: RecordedEvent): boolean => type === 'sample_data.changed'

/** Events up to the next change of the sample data, or that change by itself: it is prepared outside its transaction. */
function firstPart(events: readonly RecordedEvent[], upTo: number) {
  const index = events.findIndex(isOfSample)
  const part = index === -1 ? events : events.slice(0, Math.max(index, 1))
  return { events: part, upTo: part.length < events.length ? (part.at(-1)?.seq ?? upTo) : upTo }
}
