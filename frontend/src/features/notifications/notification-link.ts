import type { Notification } from '@parley/contracts/platform/notifications'

/** Address for each kind of object; anything else leads to the dashboard. */
const places: Readonly<Record<string, (id: string) => string>> = {
  campaign: (id) => `/broadcasts?id=${id}`,
  draft: (id) => `/broadcasts?draft=${id}&step=review`,
  template: (id) => `/templates?edit=${id}`,
  bot: (id) => `/bots?bot=${id}`,
  bot_sessions: (id) => `/bots?bot=${id}&panel=sessions`,
  workflow_runs: (id) => `/workflows?workflow=${id}&panel=runs`,
  bot_attention: () => '/bots?show=attention',
  number: (id) => `/whatsapp-numbers?configure=${id}`,
  number_health: (id) => `/whatsapp-numbers?checks=${id}`,
  webhook: (id) => `/webhooks?webhook=${id}`,
  analytics: () => '/analytics?period=7d',
  billing: () => '/settings?tab=billing',
  api_key: () => '/settings?tab=keys',
  workspace_export: () => '/settings?tab=account#export',
  import: (id) => `/contacts?import=${id}`,
  conversation: (id) => `/conversations?id=${id}`,
}

/** The screen that shows what a notification is about. */
export const linkOf = ({ object: { kind, id } }: Pick<Notification, 'object'>): string =>
  places[kind]?.(id) ?? '/dashboard'
