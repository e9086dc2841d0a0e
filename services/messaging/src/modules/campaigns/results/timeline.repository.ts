import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Wait } from '../run/campaign-gating.ts'
import { type TimelineRecord, timelineSchema } from './timeline.model.ts'

interface Of {
  readonly id: string
  readonly workspaceId: string
}
type Entry = TimelineRecord['told'] & Pick<TimelineRecord, 'memberId'>
type Session = Pick<Tx, 'session'>
/** Milliseconds between two entries, at least, about what a campaign waits for, as long as that is the same. */
const waitToldMs = 12 * 3_600_000

/** Adds an entry to the timeline of a campaign or a draft, in the transaction of the change. */
export type NoteCampaign = ReturnType<typeof createCampaignNotes>['note']

/** Entries of the timelines of campaigns. */
export function createCampaignNotes(connection: ServiceConnection, now = () => new Date()) {
  const entries = workspaceCollection<TimelineRecord>({ connection, name: 'campaignEvents', schema: timelineSchema })

  async function note({ id, workspaceId }: Of, { memberId, ...told }: Entry, { session }: Session): Promise<void> {
    const who = memberId === undefined ? {} : { memberId }
    await entries({ workspaceId }).insertPlain([{ campaignId: id, at: now(), ...who, told }], { session })
  }

  /** One that waits in turns, for a place at a time, has an entry of that now and then. */
  async function recordWait(campaign: Of, wait: Wait | undefined, tx: Session): Promise<void> {
    if (!wait) return
    const { waitsFor, waitsUntil } = wait
    const last = await entries({ workspaceId: campaign.workspaceId })
      .find({ campaignId: campaign.id })
      .sort({ at: -1, _id: -1 })
      .limit(1)
      .hint('campaign')
      .session(tx.session)
    const [{ told, at } = {}] = last
    const isTold = told?.kind === 'waits' && told.for === waitsFor && at && now().getTime() - at.getTime() < waitToldMs
    if (!isTold) await note(campaign, { kind: 'waits', for: waitsFor, until: waitsUntil.toISOString() }, tx)
  }

  return {
    note,
    recordWait,
    /** Deletes the timeline of a draft that is deleted. */
    forget: ({ id, workspaceId }: Of, options: SessionOption) =>
      entries({ workspaceId }).deleteMany({ campaignId: id }, options),
  }
}

/** Timelines as people read them, the latest entry first. */
export function createTimelinePages(connection: ServiceConnection, cursors: PageCursors) {
  const entries = workspaceCollection<TimelineRecord>({ connection, name: 'campaignEvents', schema: timelineSchema })
  return (
    scope: WorkspaceScope,
    campaignId: string,
    { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  ) =>
    pageOf(entries(scope), {
      sort: { index: 'campaign', field: 'at', direction: -1 },
      cursors,
      workspaceId: scope.workspaceId,
      filter: { campaignId },
      limit,
      cursor,
    })
}
