import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import type { availabilityApi } from '@parley/contracts/inbox/availability'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { causeOf, type UserContext } from '@parley/service-kit/http/context'
import type { AssignmentRepository } from './assignment.repository.ts'

type Availability = EndpointResponse<typeof availabilityApi.update>

const maxAwayMs = 30 * 86_400_000

interface Dependencies {
  readonly assignments: Pick<AssignmentRepository, 'absences' | 'beginAbsence' | 'endAbsence' | 'takeTurn'>
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

/** Members say whether they are there. Who is away is given no conversations by the rule of assignment, and keeps their own. */
export function createAvailability({ assignments, transaction, now = () => new Date() }: Dependencies) {
  async function list(scope: WorkspaceScope): Promise<EndpointResponse<typeof availabilityApi.list>> {
    const absences = await assignments.absences(scope)
    return {
      away: absences.flatMap(({ userId, since, until }) =>
        until && until <= now()
          ? []
          : { userId, since: since.toISOString(), until: until ? until.toISOString() : null },
      ),
    }
  }

  /**
   * Once it has answered, what is given away counts with it.
   * @throws `validation_failed`.
   */
  async function update(
    ctx: UserContext,
    { state, until }: EndpointInput<typeof availabilityApi.update>['body'],
  ): Promise<Availability> {
    const at = now()
    const ends = state === 'away' && until !== null ? new Date(until) : undefined
    if (ends && (ends <= at || ends.getTime() > at.getTime() + maxAwayMs))
      throw errors.validation({ until: 'Choose a time within the next 30 days.' })
    const { userId, workspaceId } = ctx
    const change = () =>
      transaction(async (tx) => {
        const { session } = tx
        if (state === 'available') await assignments.endAbsence(ctx, userId, { session })
        else await assignments.beginAbsence(ctx, { userId, since: at, until: ends }, { session })
        await assignments.takeTurn(ctx, { session })
        tx.emit({ workspaceId, type: 'availability.changed', by: causeOf(ctx), data: { userId } })
      })
    await change().catch((error: unknown) => {
      // The same person in another tab was first.
      if (isDuplicateKey(error)) return change()
      throw error
    })
    return { state, until: ends ? ends.toISOString() : null }
  }

  return { list, update }
}
