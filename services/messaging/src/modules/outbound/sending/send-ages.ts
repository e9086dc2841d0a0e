import type { Clock } from '@parley/service-kit/core/clock'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Platform } from '../../../platform/platform.ts'
import { isTokenStop } from '../../channel/numbers/number-after-checks.ts'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { Acceptances } from './acceptances.ts'

/** Number of finds at once. */
const atOnce = 16

/**
 * Tells since when messages wait to be sent, for metrics: replies, those of campaigns, and those that people have to free. It asks each number
 * for its next messages, so that it costs the same however much waits.
 */
export function createSendAges({
  messageRecords,
  numberRecords,
  outbox,
  acceptances,
  closings,
  now = () => new Date(),
}: Pick<Platform, 'closings'> & {
  messageRecords: Pick<MessagesRepository, 'firstQueued' | 'nextOfNumber' | 'longestHeld'>
  numberRecords: { readonly stopped: () => PromiseLike<NumberRecord[]> }
  outbox: Pick<Outbox, 'numbersIn'>
  acceptances: Pick<Acceptances, 'oldestAt'>
  now?: Clock
}) {
  /**
   * @param lanes those with messages.
   * @returns times since which the oldest could have left; `campaigns` leave as fast as their number may; `settle` have left, and are being
   * written down.
   */
  async function waitingSince(lanes: readonly number[]) {
    const settle = await acceptances.oldestAt(now())
    if (lanes.length === 0) return { send: undefined, campaigns: undefined, settle }
    const [stopped, closed] = await Promise.all([numberRecords.stopped(), closings.ids()])
    const stoppedIds = new Set(stopped.map(({ id }) => id))
    const numbers = await inTurns(lanes, async (lane) =>
      (await outbox.numbersIn(lane))
        .filter(({ numberId, workspaceId }) => !stoppedIds.has(numberId) && !closed.has(workspaceId))
        .map(({ numberId }) => ({ lane, numberId })),
    )
    const oldest = async (priority: 0 | 1) => {
      const found = await inTurns(numbers.flat(), ({ lane, numberId }) =>
        messageRecords.firstQueued(lane, numberId, priority),
      )
      const at = now()
      // The moment of the next attempt tells nothing of those that have failed.
      return earliest(
        found.flat().map(({ dispatch: { notBefore, lateSince } = {} }) => {
          const isDue = notBefore !== undefined && notBefore <= at
          return lateSince ?? (isDue ? notBefore : undefined)
        }),
      )
    }
    return { send: await oldest(0), campaigns: await oldest(1), settle }
  }

  /** Returns since when messages wait for people: of numbers that WhatsApp has stopped, without a valid token, or held with their campaign. */
  async function stoppedSince() {
    const [stopped, held] = await Promise.all([numberRecords.stopped(), messageRecords.longestHeld()])
    const times = await inTurns(stopped, async (number) => ({ number, since: await waitsSince(number) }))
    const of = (isToken: boolean) =>
      earliest(times.filter(({ number }) => isTokenStop(number.stopped) === isToken).map(({ since }) => since))
    return { number: of(false), token: of(true), held: held?.dispatch?.notBefore }
  }

  async function waitsSince({ id, stopped }: NumberRecord): Promise<Date | undefined> {
    const next = await messageRecords.nextOfNumber(laneOf(id), id)
    if (!next?.dispatch || !stopped) return undefined
    return new Date(Math.max(next.dispatch.notBefore.getTime(), stopped.at.getTime()))
  }

  return { waitingSince, stoppedSince }
}

const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.flatMap((time) => time ?? []).sort((left, right) => left.getTime() - right.getTime())[0]

/** Asks for each item, a few at once, so that others find free connections. */
async function inTurns<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => PromiseLike<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < items.length; from += atOnce)
    answers.push(...(await Promise.all(items.slice(from, from + atOnce).map(ask))))
  return answers
}
