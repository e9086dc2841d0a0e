import { consentSources } from '@parley/contracts/contacts/consent'
import { expect, test } from 'vitest'
import { type ConsentFact, resolveConsent } from './resolve-consent.ts'

const entry = (
  source: ConsentFact['source'],
  value: ConsentFact['value'],
  minute: number,
  key = `${source}/${value}/${minute}`,
): ConsentFact => ({
  source,
  value,
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  key,
})

/** A repeatable order: numbers of a linear congruential generator. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('any order of arrival comes to the same consent', () => {
  const random = createRandom(7)
  for (let round = 0; round < 500; round += 1) {
    const entries = Array.from({ length: 1 + random(8) }, (_, index) =>
      entry(
        consentSources[random(consentSources.length)] ?? 'api',
        random(2) === 0 ? 'in' : 'out',
        random(4),
        `${index}`,
      ),
    )
    const expected = resolveConsent(entries)
    for (let order = 0; order < 10; order += 1) {
      const shuffled = entries
        .map((entry) => ({ entry, rank: random(1000) }))
        .toSorted((left, right) => left.rank - right.rank)
      expect(resolveConsent(shuffled.map(({ entry }) => entry))).toBe(expected)
    }
  }
})

test('nothing said is no consent; the latest counts', () => {
  expect(resolveConsent([])).toBeUndefined()
  expect(resolveConsent([entry('import', 'out', 1), entry('import', 'in', 2)])?.value).toBe('in')
  expect(resolveConsent([entry('keyword', 'in', 2), entry('keyword', 'out', 1)])?.value).toBe('in')
})

test.each(['keyword', 'platform', 'platform_error', 'agent'] as const)(
  'no list lifts an opt-out by %s, even by way of a list that agrees with it; the person does',
  (source) => {
    const out = entry(source, 'out', 1)
    expect(resolveConsent([out, entry('import', 'in', 2), entry('api', 'in', 3)])).toBe(out)
    expect(resolveConsent([out, entry('import', 'out', 2), entry('import', 'in', 3)])).toBe(out)
    for (const back of ['keyword', 'platform', 'form', 'bot', 'agent'] as const)
      expect(resolveConsent([out, entry('import', 'in', 2), entry(back, 'in', 3)])?.value).toBe('in')
  },
)

test('of two at the same moment the opt-out counts, and the person’s own of two opt-outs', () => {
  expect(resolveConsent([entry('keyword', 'out', 1), entry('keyword', 'in', 1)])?.value).toBe('out')
  expect(resolveConsent([entry('keyword', 'out', 1), entry('import', 'out', 1)])?.source).toBe('keyword')
})
