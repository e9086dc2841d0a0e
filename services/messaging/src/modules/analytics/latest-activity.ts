import type { ActivityItem } from '@parley/contracts/platform/dashboard'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { CampaignsService } from '../campaigns/campaigns.service.ts'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import { type Activity, withActivities } from './activity.ts'
import type { WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

const maxShown = 20
const maxNameLength = 200

/** Reads the latest activity with the names as they are now: of what is gone nothing is shown. */
export function createLatestActivity({
  figures,
  conversations,
  campaigns,
}: {
  readonly figures: Pick<WorkspaceFiguresRepository, 'allActivities'>
  readonly conversations: Pick<ConversationsService, 'showMany'>
  readonly campaigns: Pick<CampaignsService, 'names'>
}) {
  return async function latestActivity(scope: WorkspaceScope): Promise<ActivityItem[]> {
    const latest = withActivities([], await figures.allActivities(scope))
    const ids = (kind: Activity['object']['kind']) =>
      latest.flatMap(({ object }) => (object.kind === kind ? object.id : []))
    const [contactNames, campaignNames] = await Promise.all([
      contactNamesOf(conversations, scope, ids('conversation')),
      campaigns.names(scope, ids('campaign')),
    ])
    const items = latest.flatMap(({ key, kind, text, object, name, at }) => {
      const shown = name ?? contactNames.get(object.id) ?? campaignNames.get(object.id)
      if (shown === undefined) return []
      const named = { ...object, name: shown.slice(0, maxNameLength) }
      return [{ id: `${key}-${at.getTime()}`, kind, text, object: named, at: at.toISOString() }]
    })
    return items.slice(0, maxShown)
  }
}

/** Returns the names of the contacts of conversations, by the id of the conversation. */
export const contactNamesOf = async (
  conversations: Pick<ConversationsService, 'showMany'>,
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  new Map([...(await conversations.showMany(scope, ids))].map(([id, { contact }]) => [id, contact.name]))
