import { type ConsentEntry, type ConsentSettings, consentApi, defaultConsentSettings } from '@parley/contracts/consent'
import type { Story } from '@parley/sample/story'
import { answer, refusal, refuseStale } from '../answer.ts'
import { touch } from '../contacts/store.ts'

/** What was recorded and saved in a story. */
const recorded = new WeakMap<Story, Map<string, ConsentEntry[]>>()
const settings = new WeakMap<Story, ConsentSettings>()
const settingsOf = (story: Story): ConsentSettings => settings.get(story) ?? { ...defaultConsentSettings, version: 1 }

function contactOf(story: Story, id: string) {
  const contact = story.contacts.get(id)
  if (!contact) throw refusal('not_found', 'There is no such contact.')
  return contact
}

/** What a contact of the sample came with is its first entry. */
function entriesOf(story: Story, id: string): ConsentEntry[] {
  const { optIn, createdAt } = contactOf(story, id)
  const all = recorded.get(story) ?? new Map<string, ConsentEntry[]>()
  recorded.set(story, all)
  const known = all.get(id)
  if (known) return known
  const at = optIn.at ?? createdAt
  const first: ConsentEntry[] =
    optIn.marketing === 'unknown'
      ? []
      : [
          {
            id: `consent-${id}`,
            category: 'marketing',
            value: optIn.marketing,
            source: optIn.source === 'keyword' ? 'keyword' : 'form',
            note: optIn.source,
            at,
            recordedAt: at,
          },
        ]
  all.set(id, first)
  return first
}

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(consentApi.entries, ({ params }, story) => {
    const items = entriesOf(story, params.id)
    return { items, nextCursor: null, previousCursor: null, total: items.length }
  }),
  answer(consentApi.record, ({ params, body }, story) => {
    const entries = entriesOf(story, params.id)
    const at = new Date().toISOString()
    const entry = {
      ...body,
      id: `consent-${params.id}-${entries.length}`,
      source: 'agent' as const,
      at,
      recordedAt: at,
    }
    entries.unshift(entry)
    if (body.category === 'marketing') {
      const contact = contactOf(story, params.id)
      touch(Object.assign(contact, { optIn: { marketing: body.value, source: 'agent', at } }))
    }
    return entry
  }),
  answer(consentApi.settings, (_, story) => settingsOf(story)),
  answer(consentApi.updateSettings, ({ body }, story) => {
    refuseStale('setting', settingsOf(story), body.version)
    const after = { ...body, version: body.version + 1 }
    settings.set(story, after)
    return after
  }),
]
