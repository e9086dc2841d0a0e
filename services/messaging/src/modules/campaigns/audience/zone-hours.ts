import { hoursIn, type SendingHours } from '@parley/contracts/campaigns/sending-hours'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { CampaignRecord, ZoneGroup } from '../campaigns.model.ts'
import { isEnqueued } from '../run/enqueue-progress.ts'

/** Sending hours of a campaign's groups, evaluated now. */
export interface ZoneHours {
  /** Groups whose messages may leave, first those that close first. */
  readonly open: readonly number[]
  /** Groups whose messages may not leave, and lie in the outbox. */
  readonly toHold: readonly number[]
  /** Time at which the next messages may leave; undefined where some may leave now, or are on their way. */
  readonly waitsUntil: Date | undefined
}

/**
 * Reads whose hours are open.
 * @param hours of the workspace; undefined where they do not count: everybody's are open then.
 */
export async function zoneHoursOf(
  campaign: CampaignRecord,
  groups: readonly ZoneGroup[],
  { hours, at, messages }: { hours: SendingHours | undefined; at: Date; messages: Pick<Outbox, 'countOpenByZone'> },
): Promise<ZoneHours> {
  const counts = await messages.countOpenByZone({ workspaceId: campaign.workspaceId }, campaign.id)
  const groupHours = groups.map(({ zones }, zone) => {
    const zoneCounts = counts.filter((count) => count.zone === zone)
    return {
      zone,
      ...(hours && hoursIn(hours, zones, at)),
      isQueued: zoneCounts.some(({ state }) => state === 'queued'),
      isLeft: zoneCounts.length > 0 || !isEnqueued(campaign, zone),
    }
  })
  const open = groupHours.filter(({ waitsUntil }) => !waitsUntil)
  const closed = groupHours.filter(({ waitsUntil }) => waitsUntil)
  const isUnderWay =
    open.some(({ isLeft }) => isLeft) ||
    counts.some(({ zone, state }) => typeof zone !== 'number' || state === 'sending')
  const openings = closed.flatMap(({ isLeft, waitsUntil }) => (isLeft && waitsUntil ? [waitsUntil.getTime()] : []))
  return {
    open: open.sort((left, right) => endOf(left) - endOf(right)).map(({ zone }) => zone),
    toHold: closed.filter(({ isQueued }) => isQueued).map(({ zone }) => zone),
    waitsUntil: isUnderWay || openings.length === 0 ? undefined : new Date(Math.min(...openings)),
  }
}

const never = 8.64e15
const endOf = ({ closesAt }: { readonly closesAt?: Date }): number => closesAt?.getTime() ?? never
