import type { Member } from '@parley/contracts/account/members'
import type { BotRecord } from '@parley/contracts/automation/bots'
import type { Workflow } from '@parley/contracts/automation/workflows'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Message } from '@parley/contracts/inbox/messages'
import type { Notification } from '@parley/contracts/platform/notifications'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import type { Template } from '@parley/contracts/templates/templates'
import { createBots } from './bots.ts'
import { createCampaigns } from './campaigns.ts'
import { createContacts } from './contacts.ts'
import { createConversations, type StoredConversation, storyConversations } from './conversations.ts'
import { facts } from './facts.ts'
import { createMembers } from './members.ts'
import { createNotifications } from './notifications.ts'
import { createNumbers } from './numbers.ts'
import { createTemplates } from './templates.ts'
import { createTraffic, type DayTraffic } from './traffic.ts'
import { createWebhooks } from './webhooks.ts'
import { createWorkflows } from './workflows.ts'

/**
 * One business with everything that its screens show. Records are kept by id in the order of their lists, and may be changed in
 * place: code that answers a screen's calls from it changes it as a server would its database.
 */
export interface SampleDataset {
  /** Time as of which it was made; every time in it lies before, every schedule after. */
  readonly now: Date
  readonly contacts: Map<string, Contact>
  /** Read and changed through `inbox.ts`. */
  readonly conversations: Map<string, StoredConversation>
  /** Messages by conversation, of those whose thread has been read. */
  readonly threads: Map<string, Message[]>
  /** The team; also of an empty workspace. */
  readonly members: Map<string, Member>
  readonly numbers: Map<string, WhatsAppNumber>
  readonly notifications: Map<string, Notification>
  readonly webhooks: Map<string, Webhook>
  readonly bots: Map<string, BotRecord>
  readonly workflows: Map<string, Workflow>
  readonly campaigns: Map<string, Campaign>
  readonly templates: Map<string, Template>
  /** The last 180 days, today last. */
  readonly traffic: readonly DayTraffic[]
}

interface SampleDatasetOptions {
  now: Date
  /**
   * Number of contacts (and conversations); the sample's own figure if absent. 0 is an empty workspace, beyond 100 there are as
   * many bots and workflows.
   */
  records?: number
}

/** Maximum bots, and maximum workflows, whatever number of records is asked for. */
const maxAutomations = 500

/** Makes the story as of `now`. Each part is made when it is first read, and each is the same for the same day. */
export function createSampleDataset({ now, records }: SampleDatasetOptions): SampleDataset {
  const empty = records === 0
  const none = <T>(make: () => Map<string, T>): (() => Map<string, T>) => (empty ? () => new Map() : make)
  // Never fewer than other screens name; no one draws more than a few hundred flows.
  const automations = records !== undefined && records > 100 ? Math.min(records, maxAutomations) : undefined
  const sampleDataset: SampleDataset = lazily<SampleDataset>({
    now: () => now,
    contacts: () => createContacts(now, records ?? facts.contacts),
    conversations: () => createConversations(sampleDataset.contacts.values(), now, records ?? storyConversations),
    threads: () => new Map(),
    members: () => createMembers(now),
    numbers: none(() => createNumbers(now)),
    notifications: none(() => createNotifications(now)),
    webhooks: none(() => createWebhooks(now)),
    bots: none(() => createBots(now, automations)),
    workflows: none(() => createWorkflows(now, automations)),
    campaigns: none(() => createCampaigns(now, sampleDataset.contacts)),
    templates: none(() => createTemplates(now)),
    traffic: () => createTraffic(now).map((day) => (empty ? { ...day, sent: 0, received: 0 } : day)),
  })
  return sampleDataset
}

/** An object whose properties are made once, when they are first read. */
function lazily<T extends object>(parts: { [K in keyof T]: () => T[K] }): T {
  const made = new Map<PropertyKey, unknown>()
  const sampleDataset = {}
  for (const [name, make] of Object.entries<() => unknown>(parts)) {
    Object.defineProperty(sampleDataset, name, {
      enumerable: true,
      get: () => {
        if (!made.has(name)) made.set(name, make())
        return made.get(name)
      },
    })
  }
  // Every key of T has just been defined from `parts`, which TypeScript does not follow.
  return sampleDataset as T
}
