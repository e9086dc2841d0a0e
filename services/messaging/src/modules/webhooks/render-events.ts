import type { MessageContent } from '@parley/contracts/inbox/messages'
import type { Envelope } from '@parley/contracts/platform/public-events'
import type { PublicEvent, PublicSubject } from '@parley/contracts/platform/public-events-of'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { CampaignRecord } from '../campaigns/campaigns.service.ts'
import type { AccountEvents } from '../channel/account-events/account-events.ts'
import type { NumberRecord } from '../channel/numbers/numbers.service.ts'
import type { ContactRecord } from '../contacts/contacts.service.ts'
import type { ConversationRecord } from '../inbox/conversations/conversations.service.ts'
import type { MessageRecord } from '../inbox/messages/messages.service.ts'
import { toMessage } from '../inbox/messages/to-message.ts'
import type { TemplatesService } from '../templates/templates.service.ts'
import type { WebhookRecord } from './webhooks.model.ts'

type ReadMany<T> = (scope: WorkspaceScope, ids: readonly string[]) => PromiseLike<readonly T[]>

interface Dependencies {
  readonly messageRecords: { readonly readMany: ReadMany<MessageRecord> }
  readonly contactRecords: { readonly readMany: ReadMany<ContactRecord> }
  readonly conversationRecords: { readonly readMany: ReadMany<ConversationRecord> }
  readonly numbers: { readonly readMany: ReadMany<NumberRecord> }
  readonly templates: Pick<TemplatesService, 'readMany'>
  readonly campaignRecords: { readonly readMany: ReadMany<CampaignRecord> }
  readonly webhooks: { readonly readMany: ReadMany<WebhookRecord> }
  readonly accountEvents: Pick<AccountEvents, 'wordsOfMany'>
}

/** An envelope; `undefined` where there is nothing to tell, of sample data and of what is gone. */
export type RenderEvents = (scope: WorkspaceScope, events: readonly PublicEvent[]) => Promise<(Envelope | undefined)[]>

type Data = Envelope['data'] | undefined
const erased = { erased: true } as const
/** Largest body of an event, in bytes. */
const maxBytes = 20 * 1024

/**
 * Renders events from the records as they are now: a person who was erased meanwhile is in none of them, and a deleted message has no
 * text. Records are read a kind at a time for all events.
 */
export function createRenderEvents(read: Dependencies): RenderEvents {
  return async (scope, events) => {
    const dataOf = await readData(scope, events)
    return events.map((event) => {
      const data = dataOf(event)
      return data && envelopeOf(event, data)
    })
  }

  async function readData(scope: WorkspaceScope, events: readonly PublicEvent[]) {
    const subjects = events.map(({ subject }) => subject)
    const named = (kind: PublicSubject['kind']) => [
      ...new Set(subjects.flatMap((subject) => (subject.kind === kind && 'id' in subject ? subject.id : []))),
    ]
    const messages = await many(read.messageRecords.readMany, scope, named('message'))
    const told = [...messages.values()]
    const [contacts, conversations, numbers, templates, campaigns, webhooks, words] = await Promise.all([
      many(
        read.contactRecords.readMany,
        scope,
        told.map(({ contactId }) => contactId),
      ),
      many(
        read.conversationRecords.readMany,
        scope,
        events.flatMap(({ type, conversationId }) => (type === 'message.received' ? (conversationId ?? []) : [])),
      ),
      many(read.numbers.readMany, scope, [...told.map(({ numberId }) => numberId), ...named('number')]),
      read.templates.readMany(scope, named('template')),
      many(read.campaignRecords.readMany, scope, named('campaign')),
      many(read.webhooks.readMany, scope, named('webhook')),
      read.accountEvents.wordsOfMany(scope, named('account')),
    ])

    return ({ type, subject }: PublicEvent): Data => {
      switch (subject.kind) {
        case 'message': {
          const message = messages.get(subject.id)
          if (!message) return erased
          if (message.sample) return undefined
          const contact = contacts.get(message.contactId)
          if (!contact) return erased
          const conversation = type === 'message.received' ? conversations.get(message.conversationId) : undefined
          return {
            message: publicMessage(message, subject.step),
            contact: contactOf(contact),
            ...(conversation && { conversation: conversationOf(conversation) }),
            ...withNumber(numbers.get(message.numberId)),
            ...(subject.step?.implied && { implied: true }),
          }
        }
        case 'number':
          return statusOf(subject, numbers.get(subject.id), ({ displayName }) => displayName)
        case 'template':
          return statusOf(subject, templates.get(subject.id), ({ name }) => name)
        case 'campaign':
          return statusOf(subject, campaigns.get(subject.id), ({ name }) => name)
        case 'account': {
          const known = words.get(subject.id)
          if (!known) return undefined
          const about = subject.numberId === undefined ? {} : { numberId: subject.numberId }
          return { change: known.title, ...(known.body !== '' && { detail: known.body }), ...about }
        }
        case 'plan':
          return { change: subject.change === 'plan' ? 'plan' : 'usage', current: subject.current }
        case 'webhook':
          return webhookOf(subject, webhooks.get(subject.id))
      }
    }
  }
}

async function many<T extends { readonly id: string }>(readMany: ReadMany<T>, scope: WorkspaceScope, ids: string[]) {
  const found = ids.length > 0 ? await readMany(scope, [...new Set(ids)]) : []
  return new Map(found.map((record) => [record.id, record]))
}

function envelopeOf({ id, type, timestamp, sequence, workspaceId }: PublicEvent, data: object): Envelope {
  const envelope = { id, type, timestamp, sequence, workspaceId, data: { ...data } }
  const message: unknown = 'message' in data ? data.message : undefined
  if (!isWithContent(message) || Buffer.byteLength(JSON.stringify(envelope)) <= maxBytes) return envelope
  const content = { type: message.content.type, truncated: true }
  return { ...envelope, data: { ...envelope.data, message: { ...message, content } } }
}

const isWithContent = (message: unknown): message is { content: { type: string } } =>
  typeof message === 'object' && message !== null && 'content' in message

const contactOf = ({ id, name, phone, username }: ContactRecord) => ({
  id,
  name,
  ...(phone !== undefined && { phone }),
  ...(username !== undefined && { username }),
})

const conversationOf = ({ id, status, owner }: ConversationRecord) => ({
  id,
  status,
  ...(owner.kind === 'member' && owner.id !== undefined && { ownerId: owner.id }),
})

const withNumber = (number: NumberRecord | undefined) =>
  number && { number: { id: number.id, name: number.displayName, phone: number.phoneNumber } }

type StatusSubject = Extract<PublicSubject, { field: string }>

function statusOf<T extends { readonly sample?: true | undefined }>(
  { kind, id, field, previous, current }: StatusSubject,
  record: T | undefined,
  nameOf: (record: T) => string,
): Data {
  if (!record || record.sample) return undefined
  return { subject: { kind, id, name: nameOf(record) }, field, previous, current }
}

function webhookOf(subject: Extract<PublicSubject, { kind: 'webhook' }>, webhook: WebhookRecord | undefined): Data {
  if (!webhook) return undefined
  const { id, state, since, responseStatus, deliveries } = subject
  return {
    webhook: { id, name: webhook.name, host: new URL(webhook.url).host },
    state,
    ...(responseStatus !== undefined && { responseStatus }),
    ...(since !== undefined && { since }),
    deliveries,
  }
}

type Step = Extract<PublicSubject, { kind: 'message' }>['step']

/**
 * A message as public events have it. Its status and time are those of the step that is told, its content and its error those of now.
 * @param step absent for a message of the customer.
 */
function publicMessage(record: MessageRecord, step: Step) {
  const { id, conversationId, direction, content, cause, sentAt } = toMessage(record)
  const { waMessageId, error, pricing, dispatch } = record
  const known = step?.to === 'failed' && error ? classifyError(error.code) : undefined
  return {
    id,
    ...(waMessageId !== undefined && { waMessageId }),
    conversationId,
    direction,
    content: withoutAddress(content),
    cause,
    sentAt,
    ...(step && { status: step.to, statusAt: step.at, attempt: (dispatch?.generation ?? 0) + 1 }),
    ...(known &&
      error && {
        error: { code: error.code, title: known.title, class: known.class, nextStep: known.advice },
      }),
    ...(pricing && { pricing }),
  }
}

/** Files are read by their id: an address of the page is of no use to a key. */
function withoutAddress(content: MessageContent) {
  if (!('url' in content) || !('mimeType' in content)) return content
  const { url: _url, ...rest } = content
  return rest
}
