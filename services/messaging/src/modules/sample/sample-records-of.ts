import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Tag } from '@parley/contracts/contacts/tags'
import type { Notification } from '@parley/contracts/platform/notifications'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import type { Template } from '@parley/contracts/templates/templates'
import { contactsOf } from '@parley/sample/audience'
import { tagsOf } from '@parley/sample/contacts'
import { storyFigures } from '@parley/sample/figures'
import { mainNumberId } from '@parley/sample/numbers'
import { createSampleDataset, type SampleDataset } from '@parley/sample/sample-dataset'
import { sampleBotId, sampleContactIds, sampleId, sampleNumberId } from '@parley/service-kit/data/sample-ids'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { SampleFigures } from '../analytics/sample-figures.ts'
import type { SampleCampaign } from '../campaigns/sample-campaigns.ts'
import type { SimulatedPerson } from '../channel/numbers/simulator-calls.ts'
import type { SampleConversation } from '../inbox/conversations/sample-conversations.ts'
import type { SampleMessage } from '../inbox/messages/sample-messages.ts'
import { type SampleContext, sampleConversationOf } from './sample-conversation-of.ts'

export interface SampleRecords {
  readonly numbers: readonly WhatsAppNumber[]
  readonly contacts: readonly Contact[]
  readonly tags: readonly Tag[]
  readonly conversations: readonly SampleConversation[]
  readonly messages: readonly SampleMessage[]
  readonly templates: readonly Template[]
  readonly campaigns: readonly SampleCampaign[]
  readonly notifications: readonly Notification[]
  readonly webhooks: readonly Webhook[]
  readonly figures: SampleFigures
  /** Returns the people who have written to a number. */
  readonly peopleOf: (numberId: string) => readonly SimulatedPerson[]
}

/** Replies of the people whom the story names. */
const answers = [
  'Thank you! That helps.',
  'Great, please send me the payment link.',
  'One more question: do you deliver on Saturdays?',
]
const answering = 6

/** The records of the sample as they are in a workspace. @param now the same moment gives the same records. */
export function sampleRecordsOf(scope: WorkspaceScope, now: Date): SampleRecords {
  const sampleDataset = createSampleDataset({ now })
  const numbers = [...sampleDataset.numbers.values()].map((number, index) => ({
    ...number,
    id: sampleNumberId(scope, number, index),
  }))
  const numberIds = new Map([...sampleDataset.numbers.keys()].map((id, index) => [id, numbers[index]?.id ?? id]))
  const contactId = sampleContactIds(scope)
  const contacts = [...sampleDataset.contacts.values()].map((contact, index) => ({
    ...contact,
    id: contactId(contact, index),
  }))
  const contactIds = new Map([...sampleDataset.contacts.keys()].map((id, index) => [id, contacts[index]?.id ?? id]))
  const templates = [...sampleDataset.templates.values()].map((template, index) => ({
    ...template,
    id: sampleId(scope, 'template', new Date(template.createdAt), index),
  }))
  const templateIds = new Map([...sampleDataset.templates.keys()].map((id, index) => [id, templates[index]?.id ?? id]))
  const campaignIds = new Map(
    [...sampleDataset.campaigns.values()].map(({ id, createdAt }, index) => [
      id,
      sampleId(scope, 'campaign', new Date(createdAt), index),
    ]),
  )
  const botIds = new Map([...sampleDataset.bots.keys()].map((id) => [id, sampleBotId(scope, id)]))
  const context = { scope, sampleDataset, numberIds, contactIds, templateIds, campaignIds, botIds }
  const conversationIds = new Map<string, string>()
  const conversations: SampleConversation[] = []
  const messages: SampleMessage[] = []
  for (const storyId of sampleDataset.conversations.keys()) {
    const sample = sampleConversationOf(context, storyId)
    if (!sample) continue
    conversations.push(sample.conversation)
    conversationIds.set(storyId, sample.conversation.id)
    for (const message of sample.messages) messages.push(message)
  }
  return {
    numbers,
    contacts,
    tags: tagsOf(contacts),
    conversations,
    messages,
    templates,
    campaigns: campaignsIn(context),
    notifications: notificationsIn(context, new Map([...numberIds, ...campaignIds, ...conversationIds, ...botIds])),
    webhooks: [...sampleDataset.webhooks.values()].map((webhook) => ({
      ...webhook,
      id: sampleId(scope, webhook.id, new Date(webhook.createdAt)),
    })),
    figures: figuresIn(sampleDataset, {
      numberId: numberIds.get(mainNumberId) ?? mainNumberId,
      ids: new Map([...campaignIds, ...conversationIds, ...botIds]),
    }),
    peopleOf: (numberId) => peopleIn(conversations.filter((conversation) => conversation.numberId === numberId)),
  }
}

/** Notifications that lead to the records which they are about; what the page itself has a sample of keeps its id. */
function notificationsIn({ scope, sampleDataset }: SampleContext, ids: ReadonlyMap<string, string>) {
  return [...sampleDataset.notifications.values()].map((notification) => ({
    ...notification,
    id: sampleId(scope, notification.id, new Date(notification.at)),
    object: { ...notification.object, id: ids.get(notification.object.id) ?? notification.object.id },
  }))
}

/** Figures whose activities lead to the records which they are about. */
function figuresIn(
  sampleDataset: SampleDataset,
  { numberId, ids }: { numberId: string; ids: ReadonlyMap<string, string> },
): SampleFigures {
  const { activities, bots, ...figures } = storyFigures(sampleDataset)
  return {
    ...figures,
    numberId,
    bots: bots.map(({ id, ...bot }) => ({ ...bot, id: ids.get(id) ?? id })),
    activities: activities.map(({ object, ...activity }, index) => ({
      ...activity,
      key: `sample:${index}`,
      object: { kind: object.kind, id: ids.get(object.id) ?? object.id },
      // Bots are kept elsewhere: their names cannot be read here.
      ...(object.kind === 'bot' && { name: object.name }),
    })),
  }
}

/** Campaigns with everyone in them; contacts of one moment are in the order of the story. */
function campaignsIn(context: SampleContext): SampleCampaign[] {
  const { sampleDataset, numberIds, contactIds, templateIds, campaignIds } = context
  return [...sampleDataset.campaigns.values()].flatMap((campaign) => {
    const template = sampleDataset.templates.get(campaign.templateId)
    if (!template) return []
    const contacts = contactsOf(campaign.audience, sampleDataset.contacts, sampleDataset.now)
    return [
      {
        ...campaign,
        id: campaignIds.get(campaign.id) ?? campaign.id,
        numberId: numberIds.get(campaign.numberId) ?? campaign.numberId,
        templateId: templateIds.get(campaign.templateId) ?? campaign.templateId,
        template,
        contacts: contacts.map((contact) => ({ ...contact, id: contactIds.get(contact.id) ?? contact.id })),
      },
    ]
  })
}

const dayMs = 86_400_000

function peopleIn(conversations: readonly SampleConversation[]): SimulatedPerson[] {
  return conversations.flatMap(({ contact: { phone, name }, windowExpiresAt }, index) =>
    phone === undefined
      ? []
      : [
          {
            phone,
            name,
            lastInboundAt: windowExpiresAt === undefined ? 0 : Date.parse(windowExpiresAt) - dayMs,
            answers: index < answering ? answers : [],
          },
        ],
  )
}
