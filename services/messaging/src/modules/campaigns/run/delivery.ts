import { type DeliveryGroup, type DeliveryPlan, planDelivery } from '@parley/contracts/campaigns/delivery-plan'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { portfolioOf } from '../../channel/numbers/number-facts.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { MessagingLimitSlots } from '../../inbox/messages/messaging-limit-slots.ts'
import { bulkPerSecond } from '../../outbound/sending/send-limits.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'

/** Messages to be sent. */
interface Delivery {
  readonly numberId: string
  readonly groups: readonly DeliveryGroup[]
  /** Time of its start. */
  readonly at: Date
  /** True for marketing that leaves within the sending hours only. */
  readonly keepsHours: boolean
}

export type DeliveryOf = ReturnType<typeof createDeliveryOf>

/**
 * Forecasts a campaign by what is known now: how fast its number sends, the other campaigns on it, the sending hours, and whom
 * WhatsApp counts in the number's limit. @throws `not_found` where the number is not connected.
 */
export function createDeliveryOf({
  numbers: { read: readNumber },
  campaigns,
  sendingHours: { read: readHours },
  messageRecords,
}: {
  numbers: Pick<NumbersService, 'read'>
  campaigns: Pick<CampaignsRepository, 'activeOn'>
  sendingHours: Pick<SendingHoursService, 'read'>
  messageRecords: Pick<MessagingLimitSlots, 'frees'>
}) {
  return async (scope: WorkspaceScope, { numberId, groups, at, keepsHours }: Delivery): Promise<DeliveryPlan> => {
    const [number, active, hours] = await Promise.all([
      readNumber(scope, numberId),
      campaigns.activeOn(scope, numberId),
      readHours(scope),
    ])
    if (!number) throw errors.notFound('This number is no longer connected.')
    const portfolio = portfolioOf(number)
    return planDelivery({
      at,
      groups,
      ratePerSecond: bulkPerSecond(number.throughputPerSecond),
      sharedWith: active.length,
      hours: { ...hours, limited: hours.limited && keepsHours },
      portfolio: portfolio && {
        limit: portfolio.limit,
        frees: await messageRecords.frees(scope, portfolio.portfolioId, at),
      },
    })
  }
}
