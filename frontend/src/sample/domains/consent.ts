import {
  type ConsentEntry,
  type ConsentSettings,
  consentApi,
  defaultConsentSettings,
} from '@parley/contracts/contacts/consent'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refusal, refuseStale } from '../answer.ts'
import { touch } from '../contacts/store.ts'

/** Entries recorded and settings saved in a story. */
const recorded = new WeakMap<SampleDataset, Map<string, ConsentEntry[]>>()
const settings = new WeakMap<SampleDataset, ConsentSettings>()
const settingsOf = (sampleDataset: SampleDataset): ConsentSettings =>
  settings.get(sampleDataset) ?? { ...defaultConsentSettings, version: 1 }

function contactOf(sampleDataset: SampleDataset, id: string) {
  const contact = sampleDataset.contacts.get(id)
  if (!contact) throw refusal('not_found', 'There is no such contact.')
  return contact
}

/** Returns a contact's entries, first the one from the sample. */
function entriesOf(sampleDataset: SampleDataset, id: string): ConsentEntry[] {
  const { optIn, createdAt } = contactOf(sampleDataset, id)
  const all = recorded.get(sampleDataset) ?? new Map<string, ConsentEntry[]>()
  recorded.set(sampleDataset, all)
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
  answer(consentApi.entries, ({ params }, sampleDataset) => {
    const items = entriesOf(sampleDataset, params.id)
    return { items, nextCursor: null, previousCursor: null, total: items.length }
  }),
  answer(consentApi.record, ({ params, body }, sampleDataset) => {
    const entries = entriesOf(sampleDataset, params.id)
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
      const contact = contactOf(sampleDataset, params.id)
      touch(Object.assign(contact, { optIn: { marketing: body.value, source: 'agent', at } }))
    }
    return entry
  }),
  answer(consentApi.settings, (_, sampleDataset) => settingsOf(sampleDataset)),
  answer(consentApi.updateSettings, ({ body }, sampleDataset) => {
    refuseStale('setting', settingsOf(sampleDataset), body.version)
    const after = { ...body, version: body.version + 1 }
    settings.set(sampleDataset, after)
    return after
  }),
]
