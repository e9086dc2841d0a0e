import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { actorOf } from '../../../platform/actor-of.ts'
import type { NumberActivity } from './number-activity.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumberChange, NumbersRepository } from './numbers.repository.ts'
import { showNumber } from './show-number.ts'

/** Workspace of the numbers, and the member who changes them; absent: the system. */
export interface Caller extends WorkspaceScope {
  readonly userId?: string | undefined
}

export type NumberStore = ReturnType<typeof createNumberStore>

/** Stores numbers together with an event for each change, and converts them for the page. */
export function createNumberStore({
  numbers,
  activity,
  transaction,
}: {
  numbers: NumbersRepository
  activity: NumberActivity
  transaction: RunInTransaction
}) {
  /**
   * Changes a number, whatever else has changed it.
   * @param update or what it is for the number as it is now: what others write meanwhile is not overwritten.
   * @returns `null` where it is gone.
   */
  const change = (
    caller: Caller,
    id: string,
    update: NumberChange | ((record: NumberRecord) => NumberChange),
  ): Promise<NumberRecord | null> =>
    transaction(async (tx) => {
      const { session } = tx
      const current = typeof update === 'function' ? await numbers.read(caller, id, { session }) : null
      const made = typeof update !== 'function' ? update : current && update(current)
      const changed = made && (await numbers.change(caller, id, made, { session }))
      if (changed) emitChange(caller, changed, tx, current)
      return changed
    })

  /**
   * Records that a number has changed, inside the transaction that changes it.
   * @param before as it was, where WhatsApp may have told something new of it.
   */
  function emitChange(
    { workspaceId, userId }: Caller,
    number: NumberRecord,
    tx: Tx,
    before?: NumberRecord | null,
  ): void {
    const { id, version, connected } = number
    const became = before && isChecked(before) ? becameOf(before, number) : undefined
    tx.emit({
      workspaceId,
      type: 'number.changed',
      recordId: id,
      version,
      by: actorOf(userId),
      data: { numberId: id, removed: connected === undefined, ...(became && { became }) },
    })
  }

  const surroundings = async (scope: WorkspaceScope) => {
    const entries = await activity.of(scope)
    return async (numberId: string) => ({
      messagesThisMonth: await activity.sentThisMonth(scope, numberId),
      lastEventAt: entries.get(numberId)?.lastEventAt,
    })
  }

  async function show(scope: WorkspaceScope, records: readonly NumberRecord[]) {
    const around = await surroundings(scope)
    return Promise.all(records.map(async (record) => showNumber(record, await around(record.id))))
  }

  async function showOne(scope: WorkspaceScope, record: NumberRecord) {
    const around = await surroundings(scope)
    return showNumber(record, await around(record.id))
  }

  return { change, emitChange, show, showOne, surroundings, transaction }
}

/** Facts that WhatsApp reports at a number's first check are not news. */
const isChecked = ({ checks }: NumberRecord): boolean => checks.some(({ state }) => state !== 'waiting')

export type Became = NonNullable<Extract<RecordedEvent, { type: 'number.changed' }>['data']['became']>

/** Returns what WhatsApp newly reports of a number; `undefined` where nothing has changed. */
function becameOf(before: NumberRecord, after: NumberRecord): Became | undefined {
  const became: Became = {
    ...(before.status !== after.status && { status: { before: before.status, after: after.status } }),
    ...(before.quality !== after.quality && { quality: { before: before.quality, after: after.quality } }),
    ...(before.nameStatus !== after.nameStatus && {
      nameStatus: { before: before.nameStatus, after: after.nameStatus },
    }),
    ...(before.messagingLimit !== after.messagingLimit && {
      messagingLimit: { before: before.messagingLimit, after: after.messagingLimit },
    }),
  }
  return Object.keys(became).length > 0 ? became : undefined
}
