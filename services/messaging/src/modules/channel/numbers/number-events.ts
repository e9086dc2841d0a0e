import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { NumberEffect } from '../../../whatsapp/account-event.ts'
import type { NumberActivity } from './number-activity.ts'
import { statusOf } from './number-facts.ts'
import type { NumberStore } from './number-store.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'

/** An event of an account, and what it means for its numbers. */
interface NumberUpdates {
  readonly accountId: string
  /** Set where it concerns one number: its id at the platform, or its digits. */
  readonly phoneNumberId: string | undefined
  readonly displayNumber: string | undefined
  readonly field: string
  readonly effects: readonly NumberEffect[]
  readonly at: Date
}

const maxUnknownFields = 50

/** Webhooks by which WhatsApp announces a change that it does not tell in full: it is asked what is true now. */
const announcements = new Set(
  ['account_alerts', 'account_review_update', 'account_update', 'business_capability_update'].concat([
    'phone_number_name_update',
    'phone_number_quality_update',
    'security',
  ]),
)

export type NumberEvents = ReturnType<typeof createNumberEvents>

/** Applies the platform's events about numbers to their records. */
export function createNumberEvents({
  numbers,
  store,
  activity,
}: {
  numbers: Pick<NumbersRepository, 'list' | 'change'>
  store: Pick<NumberStore, 'emitChange'>
  activity: Pick<NumberActivity, 'askSoon'>
}) {
  async function apply(scope: WorkspaceScope, updates: NumberUpdates, tx: Tx): Promise<void> {
    if (announcements.has(updates.field)) await activity.askSoon(scope, tx)
    if (updates.effects.length === 0) return
    const all = await numbers.list(scope, { session: tx.session })
    for (const number of all.filter(isAbout(updates))) {
      const { set, unset } = changesOf(number, updates)
      if (Object.keys(set).length === 0 && unset.length === 0) continue
      const update = { $set: set, ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((f) => [f, ''])) }) }
      const changed = await numbers.change(scope, number.id, update, { session: tx.session })
      if (changed) store.emitChange(scope, changed, tx, number)
    }
  }

  return { apply }
}

const isAbout =
  ({ accountId, phoneNumberId, displayNumber }: NumberUpdates) =>
  (number: NumberRecord): boolean => {
    if (phoneNumberId !== undefined) return number.phoneNumberId === phoneNumberId
    if (number.businessAccountId !== accountId) return false
    return displayNumber === undefined || number.phoneNumber.replace(/\D/g, '') === displayNumber
  }

function changesOf(number: NumberRecord, { effects, field, at }: NumberUpdates) {
  const set: Record<string, unknown> = {}
  const unset: string[] = []
  for (const effect of effects) {
    if (effect.kind === 'quality') set['quality'] = effect.quality
    else if (effect.kind === 'limit') set['messagingLimit'] = effect.messagingLimit
    else if (effect.kind === 'throughput') set['throughputPerSecond'] = effect.perSecond
    else if (effect.kind === 'error') set['lastError'] = { code: effect.code, title: effect.title, at }
    else if (effect.kind === 'history' || effect.kind === 'historyDeclined')
      set['history'] = historyAfter((set['history'] as NumberRecord['history']) ?? number.history, effect, at)
    else if (effect.kind === 'stop') {
      set['stopped'] = { code: effect.code, reason: effect.reason, at }
      set['status'] = 'disconnected'
    } else if (effect.kind === 'unknown') set['unknownFields'] = counted(number.unknownFields ?? [], field, at)
    else if (number.stopped?.code === effect.code) {
      unset.push('stopped')
      set['status'] = statusOf({ checks: number.checks })
    }
  }
  return { set, unset }
}

/** Parts may come in any order: the furthest counts. */
function historyAfter(
  before: NumberRecord['history'],
  effect: Extract<NumberEffect, { kind: 'history' | 'historyDeclined' }>,
  at: Date,
): NonNullable<NumberRecord['history']> {
  const progress = before?.progress ?? 0
  if (effect.kind === 'historyDeclined') return { state: 'declined', progress, reason: effect.reason, at }
  const furthest = Math.max(progress, effect.progress)
  return { state: furthest === 100 ? 'done' : 'running', progress: furthest, at }
}

function counted(known: NonNullable<NumberRecord['unknownFields']>, field: string, at: Date) {
  const name = field.slice(0, 80)
  const before = known.find((entry) => entry.field === name)
  const others = known.filter((entry) => entry !== before)
  return [...others, { field: name, count: (before?.count ?? 0) + 1, lastAt: at }].slice(-maxUnknownFields)
}
