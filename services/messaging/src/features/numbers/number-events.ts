import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { NumberEffect } from '../../whatsapp/account-event.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'

/** An event of an account, and what it means for its numbers. */
interface ToldOfNumbers {
  readonly accountId: string
  /** Where it is about one number: its id at the platform, or its digits. */
  readonly phoneNumberId: string | undefined
  readonly displayNumber: string | undefined
  readonly field: string
  readonly effects: readonly NumberEffect[]
  readonly at: Date
}

const mostUnknownFields = 50
/** When a number was last heard of is written this often at most: many lanes would meet on its record. */
const seenEveryMs = 30_000

export type NumberEvents = ReturnType<typeof createNumberEvents>

/** What the platform tells of numbers, applied to their records. */
export function createNumberEvents({
  numbers,
  transaction,
}: {
  numbers: Pick<NumbersRepository, 'list' | 'change' | 'stop' | 'saw'>
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}) {
  const seenAt = new Map<string, number>()

  async function apply(scope: WorkspaceScope, told: ToldOfNumbers, tx: Tx): Promise<void> {
    if (told.effects.length === 0) return
    const all = await numbers.list(scope, { session: tx.session })
    for (const number of all.filter(isAbout(told))) {
      const { set, unset } = changesOf(number, told)
      if (Object.keys(set).length === 0 && unset.length === 0) continue
      const changed = await numbers.change(scope, number.id, { set, unset }, { session: tx.session })
      if (changed) announce(changed, tx)
    }
  }

  /** A token, permission or payment problem: nothing more leaves from this number until a person has seen to it. */
  const stop = (scope: WorkspaceScope, id: string, code: number, reason: string): Promise<void> =>
    transaction(async (tx) => {
      const stopped = { code, reason: reason.slice(0, 500), at: new Date() }
      const changed = await numbers.stop(scope, id, stopped, { session: tx.session })
      if (changed) announce(changed, tx)
    })

  /** The platform has called about these numbers. */
  async function saw(scope: WorkspaceScope, ids: Iterable<string>, now = new Date()): Promise<void> {
    for (const id of ids) {
      if (now.getTime() - (seenAt.get(id) ?? 0) < seenEveryMs) continue
      seenAt.set(id, now.getTime())
      await numbers.saw(scope, id, now)
    }
  }
  return { apply, stop, saw }
}

function announce({ id, workspaceId, version }: NumberRecord, tx: Tx): void {
  tx.emit({
    workspaceId,
    type: 'number.changed',
    recordId: id,
    version,
    by: { kind: 'system' },
    data: { numberId: id },
  })
}

const isAbout =
  ({ accountId, phoneNumberId, displayNumber }: ToldOfNumbers) =>
  (number: NumberRecord): boolean => {
    if (phoneNumberId !== undefined) return number.phoneNumberId === phoneNumberId
    if (number.businessAccountId !== accountId) return false
    return displayNumber === undefined || number.phoneNumber.replace(/\D/g, '') === displayNumber
  }

function changesOf(number: NumberRecord, { effects, field, at }: ToldOfNumbers) {
  const set: Record<string, unknown> = {}
  const unset: string[] = []
  for (const effect of effects) {
    if (effect.kind === 'quality') set['quality'] = effect.quality
    else if (effect.kind === 'limit') set['messagingLimit'] = effect.messagingLimit
    else if (effect.kind === 'throughput') set['throughputPerSecond'] = effect.perSecond
    else if (effect.kind === 'error') set['lastError'] = { code: effect.code, title: effect.title, at }
    else if (effect.kind === 'stop') set['stopped'] = { code: effect.code, reason: effect.reason, at }
    else if (effect.kind === 'unknown') set['unknownFields'] = counted(number.unknownFields ?? [], field, at)
    else if (number.stopped?.code === effect.code) unset.push('stopped')
  }
  return { set, unset }
}

function counted(known: NonNullable<NumberRecord['unknownFields']>, field: string, at: Date) {
  const name = field.slice(0, 80)
  const before = known.find((each) => each.field === name)
  const others = known.filter((each) => each !== before)
  return [...others, { field: name, count: (before?.count ?? 0) + 1, lastAt: at }].slice(-mostUnknownFields)
}
