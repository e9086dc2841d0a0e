import { expect, test } from 'vitest'
import { attributeValue, newAttributeSchema } from './contact-attributes.ts'

const read = (type: 'text' | 'number' | 'date' | 'choice' | 'yes_no', text: string) =>
  attributeValue({ label: 'Tier', type, choices: type === 'choice' ? ['Gold', 'Silver'] : [] }, text)

test.each([
  ['text', '  Mumbai ', 'Mumbai'],
  ['number', '1,5', '1.5'],
  ['number', '-12', '-12'],
  ['date', '2026-02-28', '2026-02-28'],
  ['date', '2026-02-28T10:00:00.000Z', '2026-02-28'],
  ['date', '1.3.2026', '2026-03-01'],
  ['date', '1990/02/03', '1990-02-03'],
  ['date', '1990.2.3', '1990-02-03'],
  ['date', '19900203', '1990-02-03'],
  ['date', '1990-02-03 00:00:00', '1990-02-03'],
  ['date', '1990-02-03 12:00 AM', '1990-02-03'],
  ['date', '03.02.1990 00:00', '1990-02-03'],
  // A midnight where it was written: with its zone, and as a moment of the day before in UTC.
  ['date', '1990-02-03T00:00:00+05:30', '1990-02-03'],
  ['date', '1990-02-02T18:30:00.000Z', '1990-02-03'],
  ['date', '1990-02-02T23:00:00Z', '1990-02-03'],
  ['date', '1989-12-31T12:00:00Z', '1990-01-01'],
  ['date', '1990-02-03T05:00:00Z', '1990-02-03'],
  ['date', '1990-02-03T18:42:10Z', '1990-02-03'],
  ['choice', 'gold', 'Gold'],
  ['yes_no', 'TRUE', 'yes'],
  ['yes_no', 'nein', 'no'],
  ['number', ' ', ''],
] as const)('%s %j is stored as %j', (type, text, value) => expect(read(type, text)).toEqual({ value }))

test.each([
  ['number', '1,234.5', 'Tier is a number.'],
  ['number', 'many', 'Tier is a number.'],
  ['date', '2026-02-30', 'Tier is a day, like 2026-11-24.'],
  ['date', '3/4/2026', 'Tier is a day, like 2026-11-24.'],
  ['date', '1990-02-03x', 'Tier is a day, like 2026-11-24.'],
  ['date', '32907.0', 'Tier is a day, like 2026-11-24. Spreadsheets count days: 32907 may be 1990-02-03.'],
  ['choice', 'Bronze', 'Tier is one of Gold, Silver.'],
  ['yes_no', 'maybe', 'Tier is yes or no.'],
  ['text', 'x'.repeat(1001), 'Tier has at most 1,000 characters.'],
] as const)('%s %j is refused', (type, text, problem) => expect(read(type, text)).toEqual({ problem }))

test('choices belong to a choice, each once', () => {
  const problemOf = (fields: object) =>
    newAttributeSchema.safeParse({ label: 'Tier', type: 'choice', choices: [], ...fields }).error?.issues[0]?.message
  expect(problemOf({})).toBe('Enter a choice')
  expect(problemOf({ choices: ['Gold', 'gold '] })).toBe('Each choice once')
  expect(problemOf({ type: 'date', choices: ['Gold'] })).toBe('Only a choice has choices')
  expect(problemOf({ choices: ['Gold'] })).toBeUndefined()
})
