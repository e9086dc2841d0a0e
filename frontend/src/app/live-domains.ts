import { campaignProgressSchema } from '@parley/contracts/campaigns/campaigns'
import { automationHintSchema, hiddenSchema, presenceSchema } from '@parley/contracts/platform/event-stream'
import { eventSchema, type RecordedEvent } from '@parley/contracts/platform/events'
import type { QueryClient } from '@tanstack/react-query'
import {
  analyticsKeys,
  availabilityKeys,
  botKeys,
  campaignKeys,
  choiceKeys,
  contactJobKeys,
  contactKeys,
  conversationKeys,
  dashboardKeys,
  importKeys,
  isOfFlow,
  notificationKeys,
  numberKeys,
  teamKeys,
  templateKeys,
  usageKeys,
  userKey,
  webhookKeys,
  workflowKeys,
} from '../lib/query-keys.ts'

interface EventReceiver {
  readonly receive: (client: QueryClient, event: RecordedEvent) => unknown
}

/** Has threads, lists and contacts alike read again. */
const ofAnyThread: EventReceiver = {
  receive: (client) => {
    for (const queryKey of [conversationKeys.all, contactKeys.all]) void client.invalidateQueries({ queryKey })
  },
}

/** Receivers of events, by the first part of the event type: loaded when the first event comes. */
const receivers: Readonly<Record<string, () => Promise<EventReceiver>>> = {
  attribute: () => import('../features/contacts/events.ts'),
  campaign: () => import('../features/campaigns/events.ts'),
  contact: () => import('../features/contacts/events.ts'),
  contact_job: () => import('../features/contacts/events.ts'),
  contacts: () => import('../features/contacts/events.ts'),
  tag: () => import('../features/contacts/events.ts'),
  segment: () => import('../features/contacts/events.ts'),
  // Only while the chats of a newly connected number come in.
  history: async () => ofAnyThread,
  // At most a few times a day.
  messages: async () => ofAnyThread,
  import: () => import('../features/contacts/events.ts'),
  conversation: () => import('../features/conversations/events.ts'),
  message: async () => {
    const inbox = await import('../features/conversations/events.ts')
    return {
      receive: (client, event) => {
        inbox.receive(client, event)
        receiveNote(client, event)
      },
    }
  },
  notification: () => import('../features/notifications/events.ts'),
  number: () => import('../features/numbers/events.ts'),
  // Everything may have changed: the sample data was loaded or cleared.
  sample_data: async () => ({ receive: (client) => void client.invalidateQueries() }),
  template: () => import('../features/templates/events.ts'),
  templates: () => import('../features/templates/events.ts'),
  availability: async () => ({
    receive: (client) => void client.invalidateQueries({ queryKey: availabilityKeys.all }),
  }),
  // Pickers of any screen.
  view: async () => ({
    receive: (client) => void client.invalidateQueries({ queryKey: choiceKeys.allViews }),
  }),
  // Updates the plan's limits wherever they are shown.
  usage: async () => ({
    receive: (client) => void client.invalidateQueries({ queryKey: usageKeys.all }),
  }),
  webhook: async () => ({
    receive: (client) => void client.invalidateQueries({ queryKey: webhookKeys.all }),
  }),
  member: async () => ({
    receive: (client) => {
      // The role may be one's own.
      for (const queryKey of [choiceKeys.members, teamKeys.all, userKey]) void client.invalidateQueries({ queryKey })
    },
  }),
}

/** Updates the contact's page too: it shows members' notes and their actions on a conversation. */
function receiveNote(client: QueryClient, event: RecordedEvent): void {
  if (event.type !== 'message.changed' || event.data.direction !== 'note' || event.contactId === undefined) return
  void client.invalidateQueries({ queryKey: contactKeys.timeline(event.contactId) })
}

/** Query keys that events keep up to date: read again after missed events. */
export const followedKeys = [
  analyticsKeys.all,
  availabilityKeys.all,
  botKeys.all,
  campaignKeys.all,
  contactKeys.all,
  contactJobKeys.all,
  conversationKeys.all,
  dashboardKeys.all,
  importKeys.all,
  notificationKeys.all,
  numberKeys.all,
  teamKeys.all,
  templateKeys.all,
  usageKeys.all,
  webhookKeys.all,
  workflowKeys.all,
] as const

/** Reads of followed data that have begun. @returns which of them have neither ended nor started over since. */
export function readsUnderWay(client: QueryClient): () => Promise<unknown>[] {
  const cache = client.getQueryCache()
  const begun = followedKeys
    .flatMap((queryKey) => cache.findAll({ queryKey, fetchStatus: 'fetching' }))
    .map((query) => ({ query, promise: query.promise }))
  return () =>
    begun.flatMap(({ query, promise }) =>
      promise && query.promise === promise && query.state.fetchStatus === 'fetching' ? promise : [],
    )
}

/** Takes in one event of the stream. One that this page does not know comes from a newer server and is passed over. */
export async function receive(client: QueryClient, name: string | undefined, text: string): Promise<void> {
  const data: unknown = JSON.parse(text)
  if (name === 'reset') return client.invalidateQueries()
  if (name === 'presence') {
    const presence = presenceSchema.safeParse(data)
    if (presence.success)
      (await import('../features/conversations/presence/presence.ts')).receivePresence(presence.data)
    return
  }
  if (name === 'campaign.progress') {
    const progress = campaignProgressSchema.safeParse(data)
    if (progress.success) (await import('../features/campaigns/events.ts')).receiveProgress(client, progress.data)
    return
  }
  if (name === 'figures.changed') {
    for (const queryKey of [dashboardKeys.all, analyticsKeys.all]) void client.invalidateQueries({ queryKey })
    return
  }
  if (name === 'hidden') {
    const hidden = hiddenSchema.safeParse(data)
    if (hidden.success)
      (await import('../features/conversations/cache.ts')).hideConversations(client, hidden.data.conversationId)
    return
  }
  // Bots, workflows or their runs have changed.
  if (name === 'automation') {
    const { runs } = automationHintSchema.safeParse(data).data ?? {}
    for (const queryKey of [botKeys.all, workflowKeys.all])
      void client.invalidateQueries({ queryKey, predicate: (query) => !runs || !isOfFlow(query.queryKey) })
    return
  }
  const event = eventSchema.safeParse(data)
  if (!event.success) return
  const [domain = ''] = event.data.type.split('.')
  // `eventSchema` has checked that the data are those of the type.
  await (await receivers[domain]?.())?.receive(client, event.data as RecordedEvent)
}
