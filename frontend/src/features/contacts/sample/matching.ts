import type { Contact, contactsApi } from '@parley/contracts/contacts'
import type { EndpointInput } from '@parley/contracts/endpoint'
import { isInSegment } from '@parley/sample/contacts'
import type { Story } from '@parley/sample/story'

type Filter = Pick<EndpointInput<typeof contactsApi.list>['query'], 'q' | 'segment' | 'tags' | 'lastContact'>
type Sort = NonNullable<EndpointInput<typeof contactsApi.list>['query']['sort']>
type Selection = EndpointInput<typeof contactsApi.bulk>['body']['selection']

const dayMs = 86_400_000

/** The contacts that all filters match, in order; the one heard of last comes first unless told. */
export function matching(story: Story, filter: Filter, sort: Sort = 'last_contact'): Contact[] {
  const tests = testsOf(filter, story.now)
  const contacts = inOrder(story, sort)
  return tests.length === 0 ? contacts : contacts.filter((contact) => tests.every((test) => test(contact)))
}

/** The contacts that a bulk change or an export is about. */
export function selected(story: Story, selection: Selection): Contact[] {
  if ('filter' in selection) return matching(story, selection.filter)
  return selection.ids.flatMap((id) => story.contacts.get(id) ?? [])
}

function testsOf({ q, segment, tags, lastContact }: Filter, now: Date): ((contact: Contact) => boolean)[] {
  const tests: ((contact: Contact) => boolean)[] = []
  if (segment && segment !== 'all') tests.push((contact) => isInSegment(contact, segment, now))
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
  return ({ name, tags }) => {
    const text = plain(name)
    return words.every((word) => text.includes(word) || tags.some((tag) => plain(tag).includes(word)))
  }
}

/** Lower case, without accents. Most names are ASCII, for which the slow part is left out. */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

const orders = new WeakMap<Story, Map<Sort, string[]>>()
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
function inOrder(story: Story, sort: Sort): Contact[] {
  const known = orders.get(story) ?? new Map<Sort, string[]>()
  orders.set(story, known)
  const before = known.get(sort) ?? []
  const contacts = before.flatMap((id) => story.contacts.get(id) ?? [])
  if (contacts.length !== story.contacts.size) {
    const seen = new Set(before)
    for (const contact of story.contacts.values()) if (!seen.has(contact.id)) contacts.push(contact)
  }
  contacts.sort(compare[sort])
  known.set(
    sort,
    contacts.map(({ id }) => id),
  )
  return contacts
}
