import type { WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { RunRecord } from './runs.model.ts'

/** A contact's part in a workflow. */
export interface Place {
  readonly flowId: string
  readonly contactId: string
  /** True where only a run that has not ended takes part; else each does that has kept its place. */
  readonly whileLive: boolean
  /** A run that does not count. */
  readonly except?: string | undefined
}

/** Reads runs for the decision on another start. */
export function createStarts(runs: ReturnType<typeof workspaceCollection<RunRecord>>) {
  /** Returns whether a contact takes part in a workflow, or has taken part for good. */
  const takesPart = async (
    scope: WorkspaceScope,
    { flowId, contactId, whileLive, except }: Place,
    { session }: Session,
  ): Promise<boolean> => {
    const of = { flowId, contactId, ...(except !== undefined && { _id: { $ne: except } }) }
    const found = whileLive
      ? await runs(scope).findOne({ ...of, live: true }, { hint: 'live', session })
      : await runs(scope).findOne({ ...of, slot: { $exists: true } }, { hint: 'slot', session })
    return found !== null
  }

  return {
    takesPart,
    /** Returns whether a contact takes part in a workflow, and when their last run of it began. */
    enrolled: async (scope: WorkspaceScope, place: Place, tx: Session) => {
      const { flowId, contactId } = place
      const [last] = await runs(scope)
        .find({ flowId, contactId })
        .sort({ createdAt: -1 })
        .limit(1)
        .select('createdAt')
        .hint('enrolled')
        .session(tx.session)
      return { takesPart: await takesPart(scope, place, tx), lastAt: last?.createdAt.getTime() }
    },
    /**
     * Counts starts of a workflow since a time, up to a limit: runs that are held back have not started.
     * @param contactId only those about this contact.
     */
    countStarts: async (
      scope: WorkspaceScope,
      { flowId, contactId, since, limit }: { flowId: string; contactId?: string; since: Date; limit: number },
      { session }: Session,
    ): Promise<number> => {
      const begun = { flowId, createdAt: { $gt: since } }
      if (contactId !== undefined) {
        const ofContact = { ...begun, contactId, heldBack: { $exists: false } }
        return runs(scope).countDocuments(ofContact, { session, limit, hint: 'enrolled' })
      }
      // Those of a workflow may be very many: both are counted in their indexes alone.
      const held = await runs(scope).countDocuments({ ...begun, heldBack: true }, { session, hint: 'held-back' })
      return (await runs(scope).countDocuments(begun, { session, limit: limit + held, hint: 'newest' })) - held
    },
    /** Returns whether some events have started a workflow: what follows from them is its own doing. */
    isStartedBy: async (scope: WorkspaceScope, flowId: string, eventIds: readonly string[], { session }: Session) =>
      (await runs(scope).findOne(
        { 'startedBy.eventId': { $in: eventIds }, flowId },
        { hint: 'started-by', session },
      )) !== null,
  }
}
