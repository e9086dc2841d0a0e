import type { ActivityItem } from '@parley/contracts/dashboard'

/** Where the thing that an item is about opens. A message and a failed one open the conversation with their contact. */
export function activityLink({ kind, object: { id } }: Pick<ActivityItem, 'kind' | 'object'>): string {
  if (kind === 'campaign') return `/broadcasts?id=${id}`
  if (kind === 'bot') return `/bots?bot=${id}`
  return `/conversations?contact=${id}`
}
