import type { ActivityItem } from '@parley/contracts/platform/dashboard'

/**
 * Where the thing that an item is about opens. Campaigns and the contacts of messages are found by their names: those that the
 * dashboard speaks of have other ids among the workspace's own records.
 */
export function activityLink({ kind, object: { id, name } }: Pick<ActivityItem, 'kind' | 'object'>): string {
  if (kind === 'bot') return `/bots?bot=${id}`
  return `/${kind === 'campaign' ? 'broadcasts' : 'conversations'}?q=${encodeURIComponent(name)}`
}
