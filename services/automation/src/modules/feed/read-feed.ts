import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { eventSchema, type RecordedEvent } from '@parley/contracts/platform/events'
import { inStoredTrace } from '@parley/service-kit/core/tracing'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { drainWorkspaces } from '@parley/service-kit/queue/drain-workspaces'
import type { Platform, Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import type { RunRecord, RunsRepository } from '../runs/runs.service.ts'
import { type Applied, createApplyEvents } from './apply-events.ts'
import type { FeedCursorRecord } from './feed-cursors.model.ts'
import { createFeedCursors } from './feed-cursors.repository.ts'
import type { SampleChanges } from './sample-changes.ts'
import { createWholeEvents, type FeedItem, firstPart } from './to-item.ts'

const batchSize = 100
/** Maximum conversations of one call. */
const maxPassed = 200
/** Milliseconds for which this process alone delivers what a batch gives to runs; a worker that has died is replaced after them. */
const leaseMs = 10_000
/** Tries after which an event that cannot be applied goes to people. */
const maxFailures = 5

/** Has this process work on what was stored, until the end of a lease. */
type Deliver = (scope: WorkspaceScope, leased: readonly RunRecord[], leaseEnds: number) => void

interface Dependencies extends Pick<Platform, 'mongo' | 'transaction' | 'askMessaging' | 'logger'> {
  /** Counts decisions on events, once they are stored. */
  readonly figures: Pick<Platform['figures'], 'countDecision'>
  readonly runs: RunsRepository
  readonly attention: AttentionService
  readonly forgetCalls: Parameters<typeof createApplyEvents>[0]['forgetCalls']
  readonly hookCalls: Parameters<typeof createApplyEvents>[0]['hookCalls']
  readonly sample: SampleChanges
  readonly worlds: Worlds
  readonly now: () => Promise<number>
  /** Has what was stored worked on, and pages told. */
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
  /** Works at once on what was stored. */
  readonly deliverLeased: (scope: WorkspaceScope, leased: readonly RunRecord[], leaseEnds: number) => Promise<void>
}

/** Reads messaging's log of events: each takes effect once, whatever dies when. */
export function createReadFeed(dependencies: Dependencies) {
  const { mongo, transaction, askMessaging, runs, attention, sample, worlds, now, tell, deliverLeased, logger } =
    dependencies
  const cursors = createFeedCursors(mongo)
  const { applyEvents } = createApplyEvents({ ...dependencies, runs, attention })
  const wholeEvents = createWholeEvents(askMessaging)

  /** Returns workspaces that have something to read or to tell: those of a lane are among them, or all. */
  async function due(lane?: number): Promise<string[]> {
    const query = lane === undefined ? {} : { lane }
    const { workspaceIds } = await askMessaging({ workspaceId: '' }, messagingInternalApi.due, { query })
    return [...new Set([...workspaceIds, ...(await cursors.withPassed())])]
  }

  /** Reads what is new in the workspaces of a lane. @returns whether there may be more. */
  async function drain(lane: number): Promise<boolean> {
    const deliveries: Promise<void>[] = []
    const deliver: Deliver = (...leased) => void deliveries.push(deliverLeased(...leased))
    try {
      return await drainWorkspaces(lane, await due(lane), (workspaceId) => readOn({ workspaceId }, deliver))
    } finally {
      // Deliveries that are still at work when the next events come would conflict with them.
      await Promise.all(deliveries)
    }
  }

  /** Place up to which a workspace has been read; it begins at the head and never in the past. */
  async function begin(scope: WorkspaceScope): Promise<FeedCursorRecord> {
    const known = await cursors.read(scope)
    if (known) return known
    const { head } = await askMessaging(scope, messagingInternalApi.events, { query: { limit: 1 } })
    // No event that will be read tells of sample data that was loaded before.
    const loaded = await sample.load(scope)
    const begun = await transaction(async (tx) => {
      const created = await cursors.begin(scope, head, tx)
      await loaded(tx)
      return created
    }).catch((error: unknown) => cursors.begunByOther(scope, error))
    sample.tellPages(scope)
    return begun
  }

  /**
   * Applies the next events of a workspace. @param deliver told what they have given to runs, where this process delivers it.
   * @returns whether there are more.
   */
  async function readOn(scope: WorkspaceScope, deliver?: Deliver): Promise<boolean> {
    const cursor = await begin(scope)
    const page = await askMessaging(scope, messagingInternalApi.events, {
      query: { after: cursor.seq, limit: batchSize },
    })
    const { items, upTo } = firstPart(
      page.items.filter(({ seq }) => seq > cursor.seq).map((item) => toItem(scope, item)),
      page.upTo,
    )
    const passed = await inTrace(items, () => applyTogether(scope, cursor, items, upTo, deliver)).catch(
      async (error: unknown) => {
        logger.warn({ err: error, ...scope, events: items.length }, 'a batch of events could not be applied')
        return (await cursors.isMoved(scope, cursor)) ? 'by another' : applyOneByOne(scope, cursor, items, upTo)
      },
    )
    if (passed === 'by another') return true
    if (passed === undefined) return false
    const untold = new Set([...(cursor.passed ?? []), ...passed])
    await tellRead(scope, upTo, untold)
    if (untold.size > 0 || cursor.watch) await cursors.forgetPassed(scope, [...untold])
    return upTo < page.head
  }

  /** Tells messaging what was read, and what no bot wanted: that is stored until messaging knows. */
  async function tellRead(scope: WorkspaceScope, upTo: number, passed: ReadonlySet<string>): Promise<void> {
    const ids = [...passed]
    for (let start = 0; start === 0 || start < ids.length; start += maxPassed)
      await askMessaging(scope, messagingInternalApi.read, {
        body: { upTo, passed: ids.slice(start, start + maxPassed) },
      })
  }

  /** Reads an event. One that is not in the shape of its type will never be: it is told at once, without its contents. */
  function toItem(scope: WorkspaceScope, item: Pick<FeedItem, 'seq' | 'traceparent'>): FeedItem {
    const { seq, traceparent } = item
    const { data, error } = eventSchema.safeParse(item)
    const { conversationId } = item as { conversationId?: unknown }
    const isKnown = typeof conversationId === 'string' && isId(conversationId)
    const known = { seq, traceparent, conversationId: isKnown ? conversationId : undefined }
    // The schema has checked its data by its type.
    if (data) return { ...known, event: data as object as RecordedEvent }
    const issues = error.issues.slice(0, 5).map(({ path, code }) => `${path.join('.')}: ${code}`)
    logger.error({ ...scope, seq, issues }, 'an event could not be read')
    return known
  }

  /** A batch that fails is tried event by event, so that only the one that is at fault waits or goes to people. */
  async function applyOneByOne(
    scope: WorkspaceScope,
    cursor: FeedCursorRecord,
    items: readonly FeedItem[],
    upTo: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const passed = new Set<string>()
    let latest = cursor
    for (const [index, item] of items.entries()) {
      const end = index === items.length - 1 ? upTo : item.seq
      try {
        for (const id of await inTrace([item], () => applyTogether(scope, latest, [item], end))) passed.add(id)
      } catch (error) {
        const { seq } = item
        const failures = latest.failedSeq === seq ? (latest.failures ?? 0) + 1 : 1
        logger.error({ err: error, ...scope, seq, failures }, 'an event could not be applied')
        if (failures < maxFailures) {
          await cursors.noteFailure(scope, latest, seq, failures)
          return undefined
        }
        await transaction(async (tx) => {
          await giveUp(scope, item, tx)
          await cursors.move(scope, latest, end, tx)
          await cursors.keepPassed(scope, new Set(item.conversationId === undefined ? [] : [item.conversationId]), tx)
        })
        const { conversationId } = item
        if (conversationId !== undefined) passed.add(conversationId)
      }
      latest = { ...latest, seq: end, failures: 0 }
    }
    return passed
  }

  /** Leaves an event that cannot be read or applied to people. */
  async function giveUp(scope: WorkspaceScope, { seq, conversationId }: FeedItem, tx: Session): Promise<void> {
    const sentence = 'Something that happened could not be handled by bots. Read the conversation and answer.'
    const groupKey = `apply_failed:${conversationId ?? seq}`
    await attention.raise(scope, [{ code: 'apply_failed', sentence, conversationId, groupKey }], tx)
  }

  /** Applies events and moves the cursor, together or not at all. @returns conversations that no bot wanted. */
  async function applyTogether(
    scope: WorkspaceScope,
    cursor: FeedCursorRecord,
    items: readonly FeedItem[],
    upTo: number,
    deliver?: Deliver,
  ): Promise<ReadonlySet<string>> {
    if (upTo === cursor.seq) return new Set()
    const events = await wholeEvents(scope, items)
    const unreadable = items.filter(({ event }) => !event)
    const time = await now()
    const leaseEnds = deliver ? time + leaseMs : undefined
    const changeSample = await prepareSample(scope, events)
    const { changed, leased, effects, decisions }: Applied = await transaction(async (tx) => {
      await cursors.move(scope, cursor, upTo, tx)
      await changeSample?.(tx)
      for (const item of unreadable) await giveUp(scope, item, tx)
      const applied = await applyEvents(scope, events, { world: worlds(scope, time), leaseEnds, tx })
      await cursors.keepPassed(scope, passedOf(applied), tx)
      return applied
    })
    const passed = passedOf({ effects })
    for (const { result } of decisions) dependencies.figures.countDecision(result)
    const own = new Set(leased)
    tell(
      scope,
      changed.filter((run) => !own.has(run)),
    )
    if (changeSample) sample.tellPages(scope)
    if (leaseEnds !== undefined) deliver?.(scope, leased, leaseEnds)
    return passed

    function passedOf({ effects: { passed: unwanted } }: Pick<Applied, 'effects'>): ReadonlySet<string> {
      return new Set([...unwanted, ...unreadable.flatMap(({ conversationId }) => conversationId ?? [])])
    }
  }

  /** Part of the transaction of a change of the sample data, which comes alone. */
  async function prepareSample(scope: WorkspaceScope, [event]: readonly RecordedEvent[]) {
    if (event?.type !== 'sample_data.changed') return undefined
    if (event.data.state === 'loaded') return sample.load(scope)
    return event.data.state === 'cleared' ? sample.clear(scope) : undefined
  }

  return { drain, due, begin, readOn }
}

/** Works as a part of the traces in which events were recorded; what is delivered from there is a part of them too. */
const inTrace = <T>(items: readonly FeedItem[], work: () => Promise<T>): Promise<T> =>
  inStoredTrace(
    'events automation',
    items.map(({ traceparent }) => traceparent),
    work,
  )
