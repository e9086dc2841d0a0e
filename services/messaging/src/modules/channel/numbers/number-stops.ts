import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { classifyError, stopsMore } from '../../../whatsapp/error-classes.ts'
import { statusOf } from './number-facts.ts'
import type { NumberStore } from './number-store.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'

export type NumberStops = ReturnType<typeof createNumberStops>

/** Stops numbers that may not send, and lets them go on. */
export function createNumberStops({
  numbers,
  store,
  wakeSender,
}: {
  numbers: NumbersRepository
  store: NumberStore
  /** Tells the sender that a lane may continue. */
  wakeSender: (lane: number) => void
}) {
  /** Sends what waited while the number was stopped; a stop of its account also ends for its other numbers. */
  async function resume(scope: WorkspaceScope, { stopped }: NumberRecord, after: NumberRecord): Promise<void> {
    if (!stopped || after.stopped) return
    wakeSender(laneOf(after.id))
    const others = await store.transaction(async (tx) => {
      const stoppedToo = (await concernedBy(scope, after.id, stopped.code, tx)).filter(
        (other) => other.stopped?.code === stopped.code,
      )
      for (const { id, checks } of stoppedToo) {
        const update = { $set: { status: statusOf({ checks }) }, $unset: { stopped: '' } }
        const record = await numbers.change(scope, id, update, { session: tx.session })
        if (record) store.emitChange(scope, record, tx)
      }
      return stoppedToo
    })
    for (const { id } of others) wakeSender(laneOf(id))
  }

  /** Stops what the code names until a member has acted: for this number, or for every number of its account. */
  async function stop(scope: WorkspaceScope, id: string, code: number, reason: string): Promise<void> {
    const stopped = { code, reason: reason.slice(0, 500), at: new Date() }
    await store.transaction(async (tx) => {
      for (const number of await concernedBy(scope, id, code, tx)) {
        if (!stopsMore(code, number.stopped)) continue
        const set = { stopped, status: statusOf({ checks: number.checks, stopped }) }
        const record = await numbers.change(scope, number.id, { $set: set }, { session: tx.session })
        if (record) store.emitChange(scope, record, tx)
      }
    })
  }

  async function concernedBy(scope: WorkspaceScope, id: string, code: number, { session }: Tx) {
    const number = await numbers.read(scope, id, { session })
    if (!number || classifyError(code).stops?.of !== 'account') return number ? [number] : []
    return (await numbers.list(scope, { session })).filter(
      ({ businessAccountId }) => businessAccountId === number.businessAccountId,
    )
  }

  /**
   * Stops a number of which a failed message tells that it may not send; not where it was proven to work since, or has a new
   * token: statuses may come late. The platform's times are whole seconds.
   */
  async function stopForFailure(
    scope: WorkspaceScope,
    { numberId, code, reason, at }: { numberId: string; code: number; reason: string; at: Date },
  ): Promise<void> {
    const number = await numbers.read(scope, numberId)
    if (number?.connected === undefined || !stopsMore(code, number.stopped)) return
    const seenTo = Math.max(number.tokenSetAt.getTime(), ...number.checks.map((check) => check.at.getTime()))
    if (seenTo < at.getTime() + 1000) await stop(scope, numberId, code, reason)
  }

  return { stop, stopForFailure, resume }
}
