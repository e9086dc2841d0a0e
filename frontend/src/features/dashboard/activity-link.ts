import type { ActivityItem } from '@parley/contracts/platform/dashboard'

const places: Readonly<Record<ActivityItem['object']['kind'], (id: string) => string>> = {
  conversation: (id) => `/conversations?id=${id}`,
  campaign: (id) => `/broadcasts?id=${id}`,
  bot: (id) => `/bots?bot=${id}`,
}

/** Returns the address of an item's object. */
export const activityLink = ({ object: { kind, id } }: Pick<ActivityItem, 'object'>): string => places[kind](id)
