import { consentApi } from '@parley/contracts/contacts/consent'
import { attributesApi } from '@parley/contracts/contacts/contact-attributes'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { builtInSegments, segmentsApi } from '@parley/contracts/contacts/segments'
import { type Tag, tagsApi } from '@parley/contracts/contacts/tags'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { matchesGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { describeConditions } from '@parley/rules/describe-conditions'
import { tagsOf } from '@parley/sample/contacts'
import { conversationIdOf } from '@parley/sample/conversations'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { change, find, insert, newRecord, now, refuseTakenName, remove, type Workspace } from './workspace.ts'

type Query = EndpointInput<typeof contactsApi.list>['query']

const orders: Record<NonNullable<Query['sort']>, (left: Contact, right: Contact) => number> = {
  last_contact: (left, right) => (right.lastContactAt ?? '').localeCompare(left.lastContactAt ?? ''),
  newest: (left, right) => right.createdAt.localeCompare(left.createdAt),
  name: (left, right) => left.name.localeCompare(right.name),
}

/** Returns the contacts that all filters match, the one heard of last first unless told. */
export function findContacts(
  workspace: Workspace,
  { q = '', segment, tags, conditions, sort, lastContact }: Query,
): Contact[] {
  if (lastContact) throw new Error('No filter by last contact here.')
  const saved = builtInSegments.find(({ id }) => id === segment)
  const groups = [
    segment === undefined ? undefined : (saved ?? find(workspace.savedSegments, segment)).filter,
    conditions,
  ]
  const words = q.toLowerCase().split(' ')
  const matches = (contact: Contact) =>
    words.every((word) => `${contact.name} ${contact.phone} ${contact.tags}`.toLowerCase().includes(word)) &&
    (!tags?.length || tags.some((tag) => contact.tags.includes(tag))) &&
    groups.every((group) => !group || matchesGroup(group, contactValues(contact), workspace.now))
  return [...workspace.contacts.values()].filter(matches).sort(orders[sort ?? 'last_contact'])
}

type Action = EndpointInput<typeof contactsApi.bulk>['body']['action']

/** @returns the ids of the contacts that the action has changed. */
export function changeContacts(
  { contacts, deletedContacts }: Workspace,
  ids: readonly string[],
  action: Action,
): string[] {
  const from = action.kind === 'restore' ? deletedContacts : contacts
  const touched = ids.filter((id) => {
    const contact = from.get(id)
    return contact && (!('tag' in action) || contact.tags.includes(action.tag) === (action.kind === 'remove_tag'))
  })
  for (const id of touched) {
    const contact = find(from, id)
    const others = contact.tags.filter((tag) => 'tag' in action && tag !== action.tag)
    if (action.kind === 'add_tag') change(contacts, id, { tags: [...others, action.tag] })
    else if (action.kind === 'remove_tag') change(contacts, id, { tags: others })
    else {
      from.delete(id)
      insert(action.kind === 'restore' ? contacts : deletedContacts, contact)
    }
  }
  return touched
}

/** Contacts with their fields, tags and segments. */
export function contactHandlers(workspace: Workspace) {
  const { contacts, conversations, savedSegments } = workspace
  const attributes = new Map<
    string,
    EndpointInput<typeof attributesApi.create>['body'] & { id: string; version: number; name: string }
  >()
  const colours = new Map<string, Tag['colour']>()
  const counted = ({ id, ...segment }: (typeof builtInSegments)[number]) => ({
    ...segment,
    id,
    description: describeConditions(segment.filter),
    count: findContacts(workspace, { segment: id }).length,
  })
  const refuseTakenSegment = (name: string, editedId?: string) => {
    const others = [...savedSegments.values()].filter(({ id }) => id !== editedId)
    refuseTakenName(
      { code: 'segment_exists', kind: 'segment', field: 'name' },
      name,
      others.map((other) => other.name),
    )
  }
  return [
    answer(contactsApi.list, ({ query }) => pageOf(findContacts(workspace, query), query)),
    answer(contactsApi.read, ({ params }) => find(contacts, params.id)),
    answer(contactsApi.readDeleted, ({ params }) => ({
      ...find(workspace.deletedContacts, params.id),
      deletedAt: now(),
    })),
    answer(contactsApi.update, ({ params, body: { version, ...fields } }) =>
      change(contacts, params.id, fields, version),
    ),
    answer(contactsApi.addTag, ({ params: { id }, body }) => {
      changeContacts(workspace, [id], { kind: 'add_tag', ...body })
      return find(contacts, id)
    }),
    answer(contactsApi.block, ({ params, body }) => {
      const conversation = conversationIdOf(params.id)
      if (conversations.has(conversation)) change(conversations, conversation, {})
      return change(contacts, params.id, body)
    }),
    answer(contactsApi.bulk, ({ body: { ids, action } }) => ({ ids: changeContacts(workspace, ids, action) })),

    answer(consentApi.entries, ({ params }) => {
      const { optIn, createdAt } = find(contacts, params.id)
      const at = optIn.at ?? createdAt
      const entry = {
        id: 'consent-1',
        category: 'marketing',
        source: 'form',
        note: optIn.source,
        at,
        recordedAt: at,
      } as const
      return pageOf(optIn.marketing === 'unknown' ? [] : [{ ...entry, value: optIn.marketing }], {})
    }),

    answer(segmentsApi.list, () => ({ items: [...builtInSegments, ...savedSegments.values()].map(counted) })),
    answer(segmentsApi.create, ({ body }) => {
      refuseTakenSegment(body.name)
      return counted(insert(savedSegments, { ...newRecord('segment'), ...body, description: '' }))
    }),
    answer(segmentsApi.update, ({ params: { id }, body: { version, ...fields } }) => {
      if (fields.name) refuseTakenSegment(fields.name, id)
      return counted(change(savedSegments, id, fields, version))
    }),
    answer(segmentsApi.remove, ({ params }) => remove(savedSegments, params.id)),

    answer(attributesApi.list, () => ({ items: [...attributes.values()] })),
    answer(attributesApi.create, ({ body }) => {
      const others = [...attributes.values()].map(({ label }) => label)
      refuseTakenName({ code: 'attribute_exists', kind: 'field', field: 'label' }, body.label, others)
      return insert(attributes, { ...newRecord('field'), ...body, name: body.name ?? body.label })
    }),
    answer(attributesApi.remove, ({ params }) => remove(attributes, params.id)),

    answer(tagsApi.list, () => ({
      items: tagsOf(contacts.values())
        .filter((one) => one.contacts > 0)
        .map((one) => ({ ...one, colour: colours.get(one.name) ?? one.colour })),
    })),
    answer(tagsApi.colour, ({ body }) => {
      colours.set(body.tag, body.colour)
      return undefined
    }),
  ]
}
