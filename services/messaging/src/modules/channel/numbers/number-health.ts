import { dayOf } from '@parley/contracts/core/english-format'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { type AddNotifications, type NewNotification, titled } from '../../../platform/notification.ts'
import type { NumberConnection } from './connect-number.ts'
import type { NumberActivity } from './number-activity.ts'
import { stoppedAfter } from './number-after-checks.ts'
import { runChecks } from './number-checks.ts'
import { factsOf, hasSameFacts } from './number-facts.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'

/** Follows how numbers are: every quarter of an hour, and once WhatsApp has announced a change. */
export function createNumberHealth({
  numbers,
  activity,
  connection,
  wakeSender,
  addNotifications,
  transaction,
}: {
  numbers: NumbersRepository
  activity: NumberActivity
  connection: NumberConnection
  wakeSender: (lane: number) => void
  addNotifications: AddNotifications
  transaction: RunInTransaction
}) {
  /** Asks WhatsApp about one number and stores what is new. */
  async function check({ workspaceId, id }: { workspaceId: string; id: string }): Promise<void> {
    const scope = { workspaceId }
    // A change announced from here on triggers another check.
    await activity.checked(scope, id)
    const number = await numbers.read(scope, id)
    if (!number) return
    const target = await connection.targetOfRecord(number)
    const result = await runChecks(target, ['token', 'details'])
    if (result.found.unreachable) return
    const after = hasNews(number, result) ? await connection.keepChecks(scope, number, result) : number
    if (number.stopped && after && !after.stopped) wakeSender(laneOf(id))
    const ends = after && ofTokenEnd(after, new Date())
    if (ends) await transaction((tx) => addNotifications(scope, [ends], tx))
  }

  return {
    check,
    /** Numbers whose time has come. */
    due: async () => (await activity.due()).map(({ workspaceId, numberId }) => ({ id: numberId, workspaceId })),
  }
}

/** A record that says the same already is not written: people may have its form open. */
function hasNews(number: NumberRecord, { checks, found }: Awaited<ReturnType<typeof runChecks>>): boolean {
  return (
    (found.atWhatsApp !== undefined && !hasSameFacts(factsOf(found.atWhatsApp, number), number)) ||
    checks.some(({ step, state }) => number.checks.find((known) => known.step === step)?.state !== state) ||
    stoppedAfter(number, found) !== number.stopped ||
    (found.tokenEndsAt ?? undefined)?.getTime() !== number.tokenExpiresAt?.getTime()
  )
}

const warnBeforeMs = 7 * 24 * 3600_000

/** A number whose access token is about to end: told once for each token. */
function ofTokenEnd({ id, displayName, tokenExpiresAt, sample }: NumberRecord, now: Date): NewNotification | undefined {
  if (!tokenExpiresAt || tokenExpiresAt <= now || tokenExpiresAt.getTime() - now.getTime() > warnBeforeMs)
    return undefined
  return {
    category: 'number',
    object: { kind: 'number', id },
    at: now,
    ...(sample && { sample }),
    key: `number/${id}/token-ends/${tokenExpiresAt.getTime()}`,
    severity: 'warning',
    title: titled(displayName, 'needs a new access token soon'),
    body: `Its token ends on ${dayOf(tokenExpiresAt.toISOString())}. Nothing is sent or received with it after that.`,
    action: 'Enter a new token',
  }
}
