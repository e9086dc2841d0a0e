import type { ActivityItem } from '@parley/contracts/platform/dashboard'

const lists = { bot: 'bots', campaign: 'broadcasts', message: 'conversations', error: 'conversations' } as const

/**
 * Returns the address of an item's object, which is found by its name: those of the dashboard have other ids among the
 * workspace's own records.
 */
export function activityLink({ kind, object: { name } }: Pick<ActivityItem, 'kind' | 'object'>): string {
  return `/${lists[kind]}?q=${encodeURIComponent(name)}`
}
