import { maxOpenApprovals } from '@parley/contracts/platform/approvals'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ApprovalPlace, type ApprovalRecord, approvalSchema } from './approvals.model.ts'

type InTransaction = Required<SessionOption>
export type NewApproval = Omit<ApprovalRecord, 'id' | 'workspaceId' | 'state' | 'open'>

/** Requests for approvals. Each change is conditional on the state that it follows. */
export function createApprovalsRepository(connection: ServiceConnection) {
  const approvals = workspaceCollection<ApprovalRecord>({ connection, name: 'approvals', schema: approvalSchema })
  const closed = (state: 'used' | 'void', changed?: string) => ({
    $set: { state, ...(changed !== undefined && { changed }) },
    $unset: { open: 1 as const },
  })
  return {
    read: (scope: WorkspaceScope, id: string) => approvals(scope).findOne({ _id: id }),
    /** Returns the newest request for something. */
    latest: (scope: WorkspaceScope, place: ApprovalPlace, options: SessionOption = {}) =>
      approvals(scope).findOne(place, {
        ...options,
        sort: { askedAt: -1, _id: -1 },
        hint: 'key' in place ? 'key' : 'campaign',
      }),
    pending: (scope: WorkspaceScope, now: Date): PromiseLike<ApprovalRecord[]> =>
      approvals(scope)
        .find({ state: 'pending', expiresAt: { $gt: now } })
        .sort({ askedAt: 1 })
        .limit(maxOpenApprovals)
        .hint('state'),
    /** Finds what a member has asked for, was approved, and is not done yet. */
    approvedFor: (scope: WorkspaceScope, askedBy: string, now: Date): PromiseLike<ApprovalRecord[]> =>
      approvals(scope)
        .find({ state: 'approved', askedBy, expiresAt: { $gt: now } })
        .sort({ askedAt: 1 })
        .limit(maxOpenApprovals)
        .hint('state'),
    /** Puts a request in the place of the one that is open. @throws a duplicate key where another one came first. */
    replace: async (
      scope: WorkspaceScope,
      place: ApprovalPlace,
      record: Omit<NewApproval, 'campaignId' | 'key'> & { readonly _id: string },
      options: InTransaction,
    ): Promise<ApprovalRecord> => {
      await approvals(scope).updateOne({ ...place, open: true }, closed('void'), options)
      return approvals(scope).create({ ...record, ...place, state: 'pending', open: true }, options)
    },
    /** @returns null where it is not pending any more. */
    decide: (
      scope: WorkspaceScope,
      id: string,
      {
        now,
        isApproved,
        ...decision
      }: Pick<ApprovalRecord, 'decidedBy' | 'expiresAt' | 'reason'> & { now: Date; isApproved: boolean },
      options: InTransaction,
    ): Promise<ApprovalRecord | null> =>
      approvals(scope).findOneAndUpdate(
        { _id: id, state: 'pending', expiresAt: { $gt: now } },
        {
          $set: { ...decision, decidedAt: now, state: isApproved ? 'approved' : 'declined' },
          ...(!isApproved && { $unset: { open: 1 } }),
        },
        options,
      ),
    /** Takes an approval for what was asked. Returns false where it was taken or replaced before. */
    use: async (scope: WorkspaceScope, id: string, options: InTransaction): Promise<boolean> =>
      (await approvals(scope).updateOne({ _id: id, state: 'approved' }, closed('used'), options)).matchedCount > 0,
    /** Ends an approval of something that is no longer what it was. */
    end: async (scope: WorkspaceScope, id: string, changed: string): Promise<void> => {
      await approvals(scope).updateOne({ _id: id, state: 'approved' }, closed('void', changed))
    },
  }
}
