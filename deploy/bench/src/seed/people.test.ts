import { searchKeys } from '@parley/messaging/contact-fields'
import { expect, test } from 'vitest'
import { personAt, tagNames } from './people.ts'

const now = new Date('2026-11-22T12:00:00Z')

test('the same number gives the same person, every number another phone', () => {
  expect(personAt(7, now)).toEqual(personAt(7, now))
  const people = Array.from({ length: 2000 }, (_, index) => personAt(index, now))
  expect(new Set(people.map(({ phone }) => phone)).size).toBe(people.length)
  for (const { createdAt, lastContactAt } of people) {
    expect(createdAt.getTime()).toBeLessThanOrEqual(now.getTime())
    if (lastContactAt) expect(lastContactAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
  }
})

test('people are found as the service finds its own: by name, by tag, by part of a number', () => {
  const people = Array.from({ length: 2000 }, (_, index) => personAt(index, now))
  const known = new Set(tagNames)
  for (const person of people) {
    const { nameKey, words, grams } = searchKeys(person)
    expect([nameKey !== '', words.length > 0, grams.includes(person.phone.slice(-4))]).toEqual([true, true, true])
    expect(person.tags.filter((tag) => !known.has(tag))).toEqual([])
  }
  const share = people.filter(({ tags }) => tags.includes('newsletter')).length / people.length
  expect(share).toBeGreaterThan(0.35)
  expect(share).toBeLessThan(0.45)
})
