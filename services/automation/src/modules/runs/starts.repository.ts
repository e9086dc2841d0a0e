import type { WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { RunRecord } from './runs.model.ts'

/** Reads runs for the decision on another start. */
export function createStarts(runs: ReturnType<typeof workspaceCollection<RunRecord>>) {
  return {
    /** Returns whether a contact has a place in a workflow, and when their last run of it began. */
    enrolled: async (scope: WorkspaceScope, flowId: string, contactId: string, { session }: Session) => {
      const [last] = await runs(scope)
        .find({ flowId, contactId })
        .sort({ createdAt: -1 })
        .limit(1)
        .select('createdAt')
        .hint('enrolled')
        .session(session)
      const hasSlot = await runs(scope).findOne(
        { flowId, contactId, slot: { $exists: true } },
        { hint: 'slot', session },
      )
      return { hasSlot: hasSlot !== null, lastAt: last?.createdAt.getTime() }
    },
    /** Finds the run that has a contact's place in a workflow. */
    slotHolder: (scope: WorkspaceScope, flowId: string, contactId: string, { session }: Session) =>
      runs(scope).findOne({ flowId, contactId, slot: { $exists: true } }, { hint: 'slot', session }),
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
