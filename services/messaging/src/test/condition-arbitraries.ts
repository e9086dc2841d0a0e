import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import {
  comparisonsOf,
  contactConditionsSchema,
  contactFieldOf,
  contactFields,
} from '@parley/contracts/contacts/contact-fields'
import fc from 'fast-check'

// Letters that case and blanks that trimming treat in odd ways, what patterns are made of, and ordinary words.
const texts = fc.oneof(
  fc.constantFrom(
    'Pune',
    ' pune ',
    'PUNE',
    '',
    '12',
    '9.5',
    ' 10\n',
    '-3',
    '012',
    '1e3',
    'vip',
    'a.b',
    '.*',
    '(',
    '$',
    'Straße',
  ),
  fc.constantFrom('STRASSE', 'İzmir', 'ıı', 'Σίσυφος', 'ΣΊΣΥΦΟΣ', 'K', 'प्रिया', '\u00a0x', 'x\ufeff', 'x\n', 'ǅ', '🙂'),
  fc.constantFrom(
    '2026-03-01',
    '2026-03-08',
    '2026-03-01T10:00:00.000Z',
    '2026-03-08T09:59:59.999Z',
    '2026-3-1',
    '2026-03-08\n',
  ),
  fc.string({ maxLength: 3 }),
)
/** Moment at which the conditions are evaluated. */
export const now = new Date('2026-03-09T10:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const times = fc.constantFrom(0, 0.5, 1, 7, 7.5, 30, 400, -1).map(daysAgo)
export const tagNames = ['vip', 'VIP', 'lead', 'Straße', 'ΣΊΣΥΦΟΣ'] as const
const attributeNames = ['city', 'a.b', '$x'] as const
/** Contacts as they are stored, but for what every one has. */
export const people = fc.record({
  name: fc.oneof(
    texts.filter((text) => text !== ''),
    fc.constant('Asha'),
  ),
  username: fc.option(texts, { nil: undefined }),
  tags: fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 3 }),
  attributes: fc
    .array(fc.record({ k: fc.constantFrom(...attributeNames), v: texts }), { maxLength: 3 })
    .map((list) => [...new Map(list.map((attribute) => [attribute.k, attribute])).values()]),
  marketing: fc.constantFrom('in', 'out', 'unknown'),
  source: fc.constantFrom('inbound', 'manual'),
  blocked: fc.boolean(),
  lastContactAt: fc.option(times, { nil: undefined }),
  createdAt: times,
})

const fields = [...Object.keys(contactFields), ...attributeNames.map((name) => `attributes.${name}`)]
const conditions: fc.Arbitrary<Condition> = fc.constantFrom(...fields).chain((field) => {
  const kind = contactFieldOf(field)
  const choices = Object.keys(kind?.values ?? {})
  return fc.record({
    field: fc.constant(field),
    comparison: fc.constantFrom(...comparisonsOf[kind?.kind ?? 'text']),
    value: choices.length > 0 ? fc.constantFrom(...choices) : fc.oneof(texts, fc.constantFrom('7', '30', '1')),
  })
})
const { tree } = fc.letrec<{ tree: ConditionGroup; entry: Condition | ConditionGroup }>((tie) => ({
  tree: fc.record({
    match: fc.constantFrom('all', 'any'),
    conditions: fc.array(tie('entry'), { maxLength: 3 }),
  }),
  entry: fc.oneof({ depthSize: 'small', withCrossShrink: true }, conditions, tie('tree')),
}))
/** Trees of conditions that a request may carry. */
export const filters = tree.filter((filter) => contactConditionsSchema.safeParse(filter).success)
