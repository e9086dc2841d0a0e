import { expect, test } from 'vitest'
import { differencesOf, mergedValues } from './differences.ts'

const base = { name: 'Priya', city: 'Pune', tags: ['vip'] }
const names = ['name', 'city', 'tags'] as const

test('a field that only somebody else changed is theirs', () => {
  const states = { base, mine: { ...base, name: 'Priya S' }, theirs: { ...base, city: 'Nagpur' } }
  expect(differencesOf(names, states)).toEqual([{ name: 'city', mine: 'Pune', theirs: 'Nagpur', isContested: false }])
  expect(mergedValues(states)).toEqual({ name: 'Priya S', city: 'Nagpur', tags: ['vip'] })
})

test('a field that both changed is contested, and holds the person’s own until they decide', () => {
  const states = { base, mine: { ...base, city: 'Goa' }, theirs: { ...base, city: 'Nagpur' } }
  expect(differencesOf(names, states)).toEqual([{ name: 'city', mine: 'Goa', theirs: 'Nagpur', isContested: true }])
  expect(mergedValues(states).city).toBe('Goa')
})

test('what both changed alike is no difference', () => {
  const changed = { ...base, tags: ['vip', 'lead'] }
  expect(differencesOf(names, { base, mine: changed, theirs: { ...changed } })).toEqual([])
})
