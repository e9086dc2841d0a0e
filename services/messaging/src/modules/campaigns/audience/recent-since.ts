import { recentSince } from '@parley/contracts/campaigns/recent-messages'
import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'

export type RecentSince = ReturnType<typeof createRecentSince>

/**
 * From when on marketing counts as recent for a campaign that leaves out who has had some; undefined for one that does not. It is
 * counted back from a day, by the calendar of the zone in which the workspace has its sending hours: the review's from the day
 * on which it is to begin, the rows' from the day on which it has begun, and a message's from the day on which it is given to the
 * outbox. So the review and the rows leave out the same, unless midnight has passed or somebody was written to between them.
 */
export const createRecentSince =
  (readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>) =>
  async (
    { workspaceId, recentDays }: WorkspaceScope & { readonly recentDays?: number | undefined },
    at: Date,
  ): Promise<Date | undefined> =>
    recentDays === undefined ? undefined : recentSince(at, recentDays, (await readHours({ workspaceId })).zone)
