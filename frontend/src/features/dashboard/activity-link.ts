import type { ActivityItem } from '@parley/contracts/platform/dashboard'

/**
 * Returns the address of an item's object. Campaigns and the contacts of messages are found by their names: those of the
 * dashboard have other ids among the workspace's own records.
 */
export function activityLink({ kind, object: { id, name } }: Pick<ActivityItem, 'kind' | 'object'>): string {
  if (kind === 'bot') return `/bots?bot=${id}`
  return `/${kind === 'campaign' ? 'broadcasts' : 'conversations'}?q=${encodeURIComponent(name)}`
}
