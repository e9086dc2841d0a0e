import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { cut, maxBody, type NewNotification, titled } from '../../platform/notification.ts'

/**
 * A bot or workflow could not go on by itself. There is one a day for each: what follows stands on the attention list, and in its runs.
 */
export function ofBotFailure({
  bot,
  sentence,
  at,
}: EndpointInput<typeof messagingInternalApi.botFailures>['body']): NewNotification {
  const day = new Date(at).toISOString().slice(0, 10)
  const common = { category: 'bot', severity: 'error', body: cut(sentence, maxBody), at: new Date(at) } as const
  if (!bot)
    return {
      ...common,
      key: `bots/failed/${day}`,
      title: 'Bots could not handle a message',
      action: 'See what needs attention',
      object: { kind: 'bot_attention', id: 'open' },
    }
  return {
    ...common,
    key: `${bot.kind}/${bot.id}/failed/${day}`,
    title: titled(bot.name, 'could not go on'),
    ...(bot.kind === 'bot'
      ? { action: 'See its sessions', object: { kind: 'bot_sessions', id: bot.id } }
      : { action: 'See its runs', object: { kind: 'workflow_runs', id: bot.id } }),
    ...(bot.sample && { sample: true }),
  }
}
