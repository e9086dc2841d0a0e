import { expect, test } from 'vitest'
import { judgeMigrations } from './diagnosis-migrations.ts'

const known = [1, 2, 10, 20].map((number) => ({ number, name: `step-${number}` }))
const applied = known.map(({ number, name }) => ({ _id: number, name, kind: 'additive' }))

test('a database that has had every migration of the code is fine', () => {
  expect(judgeMigrations('profile', { known, applied })).toEqual({
    verdict: 'ok',
    subject: 'Migrations',
    finding: 'profile 20',
  })
})

test.each([
  [applied.slice(0, 3), '1 of profile wait: 20 (step-20)', 'applies them'],
  [[], '4 of profile wait: 1 (step-1), 2 (step-2), 10 (step-10) and 1 more', 'applies them'],
  [[...applied, { _id: 30, name: 'other', kind: 'breaking' }], '30 (other)', 'newer code'],
  // A record of an old version, which did not tell them apart.
  [[...applied, { _id: 30, name: 'other' }], '30 (other)', 'newer code'],
])('a database that has had %j is a problem with a remedy', (had, finding, remedy) => {
  expect(judgeMigrations('profile', { known, applied: had })).toEqual({
    verdict: 'problem',
    subject: 'Migrations',
    finding: expect.stringContaining(finding),
    remedy: expect.stringContaining(remedy),
  })
})

test('a database that additive migrations of newer code have passed is worth a note', () => {
  const ahead = [...applied, { _id: 30, name: 'other', kind: 'additive' }]
  expect(judgeMigrations('profile', { known, applied: ahead }).verdict).toBe('note')
})
