import { hoursIn } from '@parley/contracts/campaigns/sending-hours'
import type { Clock } from '@parley/service-kit/core/clock'
import { portfolioOf } from '../../channel/numbers/number-facts.ts'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { MessagingLimitSlots } from '../../inbox/messages/messaging-limit-slots.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import { type ZoneHours, zoneHoursOf } from '../audience/zone-hours.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Means } from './auto-pause.ts'

/** Free places worth going on for at once; for fewer it waits until the time that it has announced. */
const enoughPlaces = 50
/** Places that become free one by one would have it stop and continue all the time. */
const minWaitMs = 60_000

/** Reason why nothing of a campaign leaves, and the time until which. */
export interface Wait {
  readonly waitsFor: 'hours' | 'limit'
  readonly waitsUntil: Date
}

/** Wait of a campaign, if any, and the number of its held messages that may leave. */
interface Reading {
  readonly wait?: Wait
  readonly free: number
  /** Set for a campaign whose recipients are in groups of time zones. */
  readonly zones?: ZoneHours
}

type LimitedNumber = Pick<NumberRecord, 'businessAccountId' | 'messagingLimit'>
type WaitMeans = Pick<Means, 'template'> & { readonly number: LimitedNumber | null }

export type CampaignGate = ReturnType<typeof createCampaignGate>

/** Reads what a campaign waits for now: the sending hours, or places in the limit of its number. */
export function createCampaignGate({
  sendingHours,
  messages,
  messageRecords,
  now = () => new Date(),
}: {
  sendingHours: Pick<SendingHoursService, 'read'>
  messages: Pick<Outbox, 'countOpen' | 'countOpenByZone'>
  messageRecords: Pick<MessagingLimitSlots, 'freePlaces'>
  now?: Clock
}) {
  return async (campaign: CampaignRecord, { template, number }: WaitMeans): Promise<Reading> => {
    const keepsHours = template?.category === 'marketing' && !campaign.anyHour
    const hours = keepsHours ? await sendingHours.read({ workspaceId: campaign.workspaceId }) : undefined
    const { groups } = campaign.frozen
    const zones = groups && (await zoneHoursOf(campaign, groups, { hours, at: now(), messages }))
    const waitsUntil = zones ? zones.waitsUntil : hours && hoursIn(hours, [], now()).waitsUntil
    const reading: Reading = waitsUntil
      ? { free: 0, wait: { waitsFor: 'hours', waitsUntil } }
      : await limitOf(campaign, number, zones?.open)
    return { ...reading, ...(zones && { zones }) }
  }

  /** The sender holds back what gets no place; a campaign waits once nothing else of it is on its way. */
  async function limitOf(
    campaign: CampaignRecord,
    number: LimitedNumber | null,
    zones: readonly number[] | undefined,
  ): Promise<Reading> {
    const { workspaceId, id, waitsFor, waitsUntil } = campaign
    const scope = { workspaceId }
    const portfolio = number && portfolioOf(number)
    const held = portfolio ? await messages.countOpen(scope, id, ['held'], zones) : 0
    if (!portfolio || held === 0) return { free: Number.POSITIVE_INFINITY }
    const at = now()
    const { free, nextAt = at } = await messageRecords.freePlaces(scope, portfolio, { at, enough: held })
    const keptUntil = waitsFor === 'limit' && waitsUntil && waitsUntil > at ? waitsUntil : undefined
    if (keptUntil && free < Math.min(held, enoughPlaces))
      return { free: 0, wait: { waitsFor: 'limit', waitsUntil: keptUntil } }
    if (free > 0 || (await messages.countOpen(scope, id, ['queued', 'sending'])) > 0) return { free }
    const until = Math.max(nextAt.getTime(), at.getTime() + minWaitMs)
    return { free, wait: { waitsFor: 'limit', waitsUntil: new Date(until) } }
  }
}
