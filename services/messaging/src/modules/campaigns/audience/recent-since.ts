import { recentSince } from '@parley/contracts/campaigns/recent-messages'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'

/**
 * Returns the time from which marketing counts as recent for a campaign that leaves out contacts who have had some; undefined for
 * one that does not. It is counted back from a day, by the calendar of the zone in which the workspace has its sending hours: for
 * the review from the day on which it is to begin, for the rows from the day on which it has begun, and for a message from the
 * day on which it is given to the outbox. So the review and the rows leave out the same contacts, unless midnight has passed or a
 * contact was written to between them.
 */
export const recentSinceOf = async (
  sendingHours: Pick<SendingHoursService, 'zoneOf'>,
  { workspaceId, recentDays }: WorkspaceScope & { readonly recentDays?: number | undefined },
  at: Date,
): Promise<Date | undefined> =>
  recentDays === undefined ? undefined : recentSince(at, recentDays, await sendingHours.zoneOf({ workspaceId }))
