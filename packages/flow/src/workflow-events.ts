import type { WorkflowStart } from '@parley/contracts/automation/triggers'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { FieldValue } from './conditions.ts'

/** Something that a workflow can start on, as its triggers name it. */
export interface Happening {
  readonly event: WorkflowStart
  /** The trigger that it concerns, where the workflow has several of its name. */
  readonly triggerId?: string
  /** Fields of it for filters, beside those of the contact. */
  readonly fields: Readonly<Record<string, FieldValue>>
  /** The tag, or the field, that has changed; the time of a schedule. */
  readonly detail?: string
  /** Values of the body of a call from outside, by their JSON pointer. */
  readonly values?: Readonly<Record<string, string>>
}

const ofContact = ['contact.source', 'contact.marketing', 'contact.blocked', 'event.by'] as const
const ofConversation = ['conversation.number', 'conversation.status', 'conversation.owner'] as const
const ofMessage = ['message.text', 'message.type', ...ofConversation] as const

/** Fields that a filter may name beside those of the contact, by event. */
export const eventFields: Readonly<Record<WorkflowStart, readonly string[]>> = {
  'contact.created': ofContact,
  'contact.tag_added': ['event.tag', ...ofContact],
  'contact.tag_removed': ['event.tag', ...ofContact],
  'contact.field_changed': ['event.field', 'event.before', 'event.after', ...ofContact],
  'consent.changed': ['event.after', ...ofContact],
  'message.received': [...ofMessage, ...ofContact],
  'conversation.opened': [...ofConversation, ...ofContact],
  'conversation.closed': [...ofConversation, ...ofContact],
  'conversation.assigned': [...ofConversation, ...ofContact],
  'campaign.replied': ['campaign.id', ...ofMessage, ...ofContact],
  manual: ofContact,
  schedule: ofContact,
  hook: ofContact,
}

/** Fields of a contact that every filter may name, beside `attributes.<name>`. */
export const contactFields = ['tags', 'name', 'phone', 'username'] as const

const contactFacts = (
  { source, optIn, blocked }: Pick<Contact, 'source' | 'optIn' | 'blocked'>,
  by: string,
): Happening['fields'] => ({
  'event.by': by,
  'contact.source': source,
  'contact.marketing': optIn.marketing,
  'contact.blocked': blocked,
})

/** Returns the start of a workflow for a contact by a member, or by a program with an API key, as triggers see it. */
export const startedByHand = (
  contact: Pick<Contact, 'source' | 'optIn' | 'blocked'>,
  by: 'user' | 'api_key',
): Happening => ({ event: 'manual', fields: contactFacts(contact, by) })

/** Returns the start of a workflow for a contact by a trigger's schedule. @param slot time of the zone's clock: `2026-11-30T09:00`. */
export const startedBySchedule = (
  contact: Pick<Contact, 'source' | 'optIn' | 'blocked'>,
  { nodeId, slot }: { readonly nodeId: string; readonly slot: string },
): Happening => ({
  event: 'schedule',
  triggerId: nodeId,
  fields: contactFacts(contact, 'system'),
  detail: slot.replace('T', ' '),
})

/** Returns the start of a workflow for a contact by a call to a trigger's address. @param values what the call has brought, by JSON pointer. */
export const startedByHook = (
  contact: Pick<Contact, 'source' | 'optIn' | 'blocked'>,
  { nodeId, values }: { readonly nodeId: string; readonly values: Readonly<Record<string, string>> },
): Happening => ({ event: 'hook', triggerId: nodeId, fields: contactFacts(contact, 'system'), values })

/** Returns what has happened in an event, one entry for each tag and field; nothing in one without facts. Words of consent start nothing. */
export function happeningsOf(event: RecordedEvent): Happening[] {
  const { snapshot } = event
  if (!snapshot) return []
  const { contact, conversation } = snapshot
  const common = {
    ...contactFacts(contact, event.by.kind),
    ...(conversation && {
      'conversation.number': conversation.numberId,
      'conversation.status': conversation.status,
      'conversation.owner': conversation.owner.kind,
    }),
  }
  const happened = (name: WorkflowStart, fields: Happening['fields'] = {}, detail?: string): Happening => ({
    event: name,
    fields: { ...common, ...fields },
    ...(detail !== undefined && { detail }),
  })
  switch (event.type) {
    case 'contact.changed':
    case 'contact.bulk_changed': {
      const did = event.type === 'contact.changed' ? event.data.became : event.data.did
      const { created, tagsAdded = [], tagsRemoved = [], fields = [], consent } = did ?? {}
      return [
        ...(created ? [happened('contact.created')] : []),
        ...tagsAdded.map((tag) => happened('contact.tag_added', { 'event.tag': tag }, tag)),
        ...tagsRemoved.map((tag) => happened('contact.tag_removed', { 'event.tag': tag }, tag)),
        ...fields.map(({ name, before, after }) =>
          happened(
            'contact.field_changed',
            { 'event.field': name, 'event.before': before, 'event.after': after },
            name,
          ),
        ),
        ...(consent === undefined ? [] : [happened('consent.changed', { 'event.after': consent })]),
      ]
    }
    case 'conversation.changed': {
      const { opened, closed, owned } = event.data.became ?? {}
      return [
        ...(opened ? [happened('conversation.opened')] : []),
        ...(closed ? [happened('conversation.closed')] : []),
        // One that is given back, or passed to the queue, is nobody's until somebody gets it.
        ...(owned?.reason === 'assigned' && conversation?.owner.kind === 'member'
          ? [happened('conversation.assigned')]
          : []),
      ]
    }
    case 'message.changed': {
      const { said } = event.data
      if (!said || said.command) return []
      const fields = { 'message.text': said.text, 'message.type': said.type }
      const { campaignId } = said
      return [
        happened('message.received', fields),
        ...(campaignId === undefined ? [] : [happened('campaign.replied', { ...fields, 'campaign.id': campaignId })]),
      ]
    }
    default:
      return []
  }
}
