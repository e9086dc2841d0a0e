import { maxOpenApprovals } from '@parley/contracts/campaigns/approvals'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ApprovalRecord, approvalSchema } from './approvals.model.ts'

type InTransaction = Required<SessionOption>
export type ApprovalsRepository = ReturnType<typeof createApprovalsRepository>

/** Requests to launch campaigns. Each change is conditional on the state that it follows. */
export function createApprovalsRepository(connection: ServiceConnection) {
  const approvals = workspaceCollection<ApprovalRecord>({ connection, name: 'approvals', schema: approvalSchema })
  return {
    read: (scope: WorkspaceScope, id: string) => approvals(scope).findOne({ _id: id }),
    /** Returns the newest request for a campaign. */
    latest: (scope: WorkspaceScope, campaignId: string, options: SessionOption = {}) =>
      approvals(scope).findOne({ campaignId }, { ...options, sort: { askedAt: -1, _id: -1 }, hint: 'campaign' }),
    pending: (scope: WorkspaceScope, now: Date): PromiseLike<ApprovalRecord[]> =>
      approvals(scope)
        .find({ state: 'pending', expiresAt: { $gt: now } })
        .sort({ askedAt: 1 })
        .limit(maxOpenApprovals)
        .hint('state'),
    /** Puts a request in the place of the one that is open. @throws a duplicate key where another one came first. */
    replace: async (
      scope: WorkspaceScope,
      record: Omit<ApprovalRecord, 'id' | 'workspaceId' | 'state' | 'open'> & { readonly _id: string },
      options: InTransaction,
    ): Promise<ApprovalRecord> => {
      const { campaignId } = record
      const closed = { $set: { state: 'void' as const }, $unset: { open: 1 } }
      await approvals(scope).updateOne({ campaignId, open: true }, closed, options)
      return approvals(scope).create({ ...record, state: 'pending', open: true }, options)
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
    /** Takes an approval for a launch. Returns false where it was taken or replaced before. */
    use: async (scope: WorkspaceScope, id: string, options: InTransaction): Promise<boolean> => {
      const used = { $set: { state: 'used' as const }, $unset: { open: 1 } }
      return (await approvals(scope).updateOne({ _id: id, state: 'approved' }, used, options)).matchedCount > 0
    },
  }
}
