import { expect, test } from 'vitest'
import { componentsTable } from './report.ts'

test('the table says what runs, where, whether it is real, and where its data lies', () => {
  const base = { needs: [], env: {} }
  const table = componentsTable(
    [
      { ...base, name: 'mongodb', label: 'MongoDB', kind: 'real', address: 'mongodb://127.0.0.1:1', dataAt: '/data' },
      { ...base, name: 'mail', label: 'Mail', kind: 'stand-in', address: 'http://127.0.0.1:2', dataAt: '/mails' },
    ],
    new Map([['mongodb', '6.0.5']]),
  )
  expect(table.split('\n').slice(2)).toEqual([
    'Mail     http://127.0.0.1:2     stand-in          /mails',
    'MongoDB  mongodb://127.0.0.1:1  real (6.0.5)      /data',
  ])
})
