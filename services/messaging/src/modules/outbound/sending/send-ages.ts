import type { Clock } from '@parley/service-kit/core/clock'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Platform } from '../../../platform/platform.ts'
import { isTokenStop } from '../../channel/numbers/connect-number.ts'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { MessagesRepository } from '../../inbox/messages/messages.service.ts'

/** Tells since when messages wait to be sent, for metrics: replies, those of campaigns, and those that people have to free. */
export function createSendAges({
  messageRecords,
  numberRecords,
  closings,
  now = () => new Date(),
}: Pick<Platform, 'closings'> & {
  messageRecords: Pick<MessagesRepository, 'longestDueInLane' | 'nextOfNumber' | 'longestHeld'>
  numberRecords: { readonly stopped: () => PromiseLike<NumberRecord[]> }
  now?: Clock
}) {
  /** @param lanes those with messages. @returns times since which the oldest could have left; `campaigns` leave as fast as their number may. */
  async function waitingSince(lanes: readonly number[]) {
    if (lanes.length === 0) return { send: undefined, campaigns: undefined }
    const [stopped, closed] = await Promise.all([numberRecords.stopped(), closings.ids()])
    const without = { numbers: stopped.map(({ id }) => id), workspaces: [...closed] }
    const oldest = async (priority: 0 | 1) => {
      const found = await Promise.all(
        lanes.map((lane) => messageRecords.longestDueInLane(lane, { now: now(), priority, without })),
      )
      return earliest(found.map((message) => message?.dispatch?.notBefore))
    }
    const [send, campaigns] = await Promise.all([oldest(0), oldest(1)])
    return { send, campaigns }
  }

  /** Returns since when messages wait for people: of numbers that WhatsApp has stopped, without a valid token, or held with their campaign. */
  async function stoppedSince() {
    const [stopped, held] = await Promise.all([numberRecords.stopped(), messageRecords.longestHeld()])
    const times = await Promise.all(stopped.map(async (number) => ({ number, since: await waitsSince(number) })))
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
