import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MailsService } from '../mails/mails.service.ts'
import type { Seats } from '../workspaces/seats.ts'
import type { InvitationsRepository } from './invitations.repository.ts'

/** Ends open invitations of a workspace: all, or those of one member. Their seats are free, their mails are not sent. */
export type WithdrawAll = (
  tx: Pick<Tx, 'session'>,
  scope: WorkspaceScope,
  of?: { readonly invitedBy?: string },
) => Promise<void>

export const createWithdrawAll =
  (deps: {
    readonly invitations: Pick<InvitationsRepository, 'open' | 'end'>
    readonly seats: Pick<Seats, 'add'>
    readonly mails: Pick<MailsService, 'cancel'>
  }): WithdrawAll =>
  async ({ session }, scope, of = {}) => {
    for (const { id, mailId } of await deps.invitations.open(scope, of, { session })) {
      if (!(await deps.invitations.end(scope, id, 'revoked', { session }))) continue
      await deps.seats.add(scope, { taken: -1 }, { session })
      await deps.mails.cancel(scope, mailId, { session })
    }
  }
