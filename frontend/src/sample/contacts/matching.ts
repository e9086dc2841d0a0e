import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { contactJobsApi } from '@parley/contracts/contacts/contact-jobs'
import type { Contact, contactsApi } from '@parley/contracts/contacts/contacts'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { matchesGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { filterOfSegment } from './segments.ts'

type Filter = Pick<
  EndpointInput<typeof contactsApi.list>['query'],
  'q' | 'segment' | 'tags' | 'lastContact' | 'conditions'
>
type Sort = NonNullable<EndpointInput<typeof contactsApi.list>['query']['sort']>
type Selection = EndpointInput<typeof contactJobsApi.change>['body']['selection']

const dayMs = 86_400_000

interface Known {
  readonly state: string
  readonly answers: Map<string, Contact[]>
}
const known = new WeakMap<SampleDataset, Known>()

/**
 * The contacts that all filters match, in order; the one heard of last comes first unless told. The next page of the same
 * list, or of an export, costs no more than a look whether anything has changed.
 */
export function matching(
  sampleDataset: SampleDataset,
  filter: Filter,
  sort: Sort = 'last_contact',
): readonly Contact[] {
  const { answers } = upToDate(sampleDataset)
  const { q, segment, tags, lastContact, conditions } = filter
  const groups = [segment === undefined ? undefined : filterOfSegment(sampleDataset, segment), conditions]
  const key = JSON.stringify([sort, q, tags, lastContact, groups])
  const answer = answers.get(key) ?? select(sampleDataset, filter, groups, sort)
  if (answers.size > 20) answers.clear()
  answers.set(key, answer)
  return answer
}

function select(
  sampleDataset: SampleDataset,
  filter: Filter,
  groups: readonly (ConditionGroup | undefined)[],
  sort: Sort,
): Contact[] {
  const tests = testsOf(filter, sampleDataset.now)
  for (const group of groups)
    if (group) tests.push((contact) => matchesGroup(group, contactValues(contact), sampleDataset.now))
  const contacts = inOrder(sampleDataset, sort)
  return tests.length === 0 ? contacts : contacts.filter((contact) => tests.every((test) => test(contact)))
}

/** Returns the cached matches, valid as long as no contact has come, gone or changed. */
function upToDate(sampleDataset: SampleDataset): Known {
  let versions = 0
  let last = ''
  for (const { id, version } of sampleDataset.contacts.values()) {
    versions += version
    last = id
  }
  const state = `${sampleDataset.contacts.size} ${versions} ${last}`
  const before = known.get(sampleDataset)
  if (before?.state === state) return before
  const after = { state, answers: new Map<string, Contact[]>() }
  known.set(sampleDataset, after)
  return after
}

/** The contacts that a bulk change or an export is about. */
export function selected(sampleDataset: SampleDataset, selection: Selection): readonly Contact[] {
  if ('filter' in selection) return matching(sampleDataset, selection.filter)
  return selection.ids.flatMap((id) => sampleDataset.contacts.get(id) ?? [])
}

function testsOf({ q, tags, lastContact }: Filter, now: Date): ((contact: Contact) => boolean)[] {
  const tests: ((contact: Contact) => boolean)[] = []
  if (tags?.length) tests.push((contact) => tags.some((tag) => contact.tags.includes(tag)))
  if (lastContact) tests.push(rangeTest(lastContact, now))
  if (q) tests.push(searchTest(q))
  return tests
}

function rangeTest(range: NonNullable<Filter['lastContact']>, now: Date): (contact: Contact) => boolean {
  if (range === 'never') return ({ lastContactAt }) => lastContactAt === null
  // ISO times in UTC sort as text.
  const since = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  const start = since({ '7d': 7, '30d': 30, '90d': 90, older: 90 }[range])
  return range === 'older'
    ? ({ lastContactAt }) => lastContactAt !== null && lastContactAt < start
    : ({ lastContactAt }) => lastContactAt !== null && lastContactAt >= start
}

/** Digits search the phone; words must each stand in the name or in a tag. */
function searchTest(q: string): (contact: Contact) => boolean {
  const digits = /^[\d\s()+-]+$/.test(q) ? q.replace(/\D/g, '').replace(/^0+/, '') : ''
  if (digits) return ({ phone }) => phone?.includes(digits) ?? false
  const words = plain(q).split(/\s+/).filter(Boolean)
  return (contact) => {
    const text = searchText(contact)
    return words.every((word) => text.includes(word))
  }
}

const texts = new WeakMap<Contact, { version: number; text: string }>()

/** Name and tags as they are searched; made once for each version of a contact. */
function searchText(contact: Contact): string {
  const before = texts.get(contact)
  if (before?.version === contact.version) return before.text
  const text = plain([contact.name, ...contact.tags].join('\n'))
  texts.set(contact, { version: contact.version, text })
  return text
}

/** Lower case, without accents. Most names are ASCII, for which the slow part is left out. */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

const orders = new WeakMap<SampleDataset, Map<Sort, Contact[]>>()
const collator = new Intl.Collator()
const compare: Record<Sort, (left: Contact, right: Contact) => number> = {
  last_contact: (left, right) => byText(right.lastContactAt ?? '', left.lastContactAt ?? ''),
  newest: (left, right) => byText(right.createdAt, left.createdAt),
  name: (left, right) => collator.compare(left.name, right.name),
}
const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)

/**
 * Sorting what was in order the last time takes a single run through it, so only the first question after the start pays
 * for a whole sort, whatever has been changed in between.
 */
function inOrder(sampleDataset: SampleDataset, sort: Sort): Contact[] {
  const bySort = orders.get(sampleDataset) ?? new Map<Sort, Contact[]>()
  orders.set(sampleDataset, bySort)
  const before = bySort.get(sort) ?? []
  const contacts = before.filter((contact) => sampleDataset.contacts.get(contact.id) === contact)
  if (contacts.length !== sampleDataset.contacts.size) {
    const seen = new Set(contacts)
    for (const contact of sampleDataset.contacts.values()) if (!seen.has(contact)) contacts.push(contact)
  }
  contacts.sort(compare[sort])
  bySort.set(sort, contacts)
  return contacts
}
