import { botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { BotRecord } from '@parley/contracts/automation/bots'
import { flowFormat } from '@parley/contracts/automation/flow'
import { botFlows } from './bot-flows.ts'
import { dayMs } from './facts.ts'
import { mainNumberId } from './numbers.ts'
import { repeated } from './repeated.ts'

/** Conversations of the last 30 days, and how many of them ended without a person. */
const bots = [
  { name: 'Order status', status: 'active', conversations: 1_284, resolved: 1_117, saves: 7 },
  { name: 'Welcome', status: 'active', conversations: 2_036, resolved: 1_486, saves: 12 },
  { name: 'Store hours and delivery', status: 'active', conversations: 642, resolved: 591, saves: 4 },
  { name: 'Feedback after delivery', status: 'paused', conversations: 318, resolved: 242, saves: 3 },
  { name: 'Wholesale enquiries', status: 'active', conversations: 147, resolved: 68, saves: 5 },
] as const

/** The share of conversations that ended without a person, in whole percent; 0 before the first. */
const automationRateOf = (resolved: number, conversations: number): number =>
  conversations === 0 ? 0 : Math.round((100 * resolved) / conversations)

/** Bots by id; `bot-1` and `bot-2` are the ones that the dashboard's activity names. More than the story's own repeat them. */
export function createBots(now: Date, count: number = bots.length): Map<string, BotRecord> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  return new Map(
    repeated(bots, count).map(({ name, status, conversations, resolved, saves }, index) => {
      const id = `bot-${index + 1}`
      const bot: BotRecord = {
        id,
        createdAt: before(210 - (index % bots.length) * 30),
        updatedAt: before(3 + (index % bots.length) * 4),
        version: saves,
        name,
        status,
        numberIds: [mainNumberId],
        draft: botFlows[index % bots.length] ?? { format: flowFormat, nodes: [], edges: [] },
        settings: botSettingsSchema.parse({}),
        publishedVersion: saves,
        unpublishedChanges: false,
        running: 0,
        attention: 0,
        conversations,
        resolved,
        automationRate: automationRateOf(resolved, conversations),
      }
      return [id, bot]
    }),
  )
}
