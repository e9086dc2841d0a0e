import { expect, test } from 'vitest'
import { demoAfter, script } from './demo-script.ts'

test('the story starts with an answered thread and a bot in charge', () => {
  expect(demoAfter(0)).toMatchObject({ typing: undefined, assignee: 'Order status bot' })
  expect(demoAfter(0).messages).toHaveLength(3)
})

test('the story ends with every sent message read, a person in charge and nobody typing', () => {
  const end = demoAfter(script.length)
  expect(end.messages.slice(3).map(({ author }) => author)).toEqual(['customer', 'bot', 'customer', 'agent'])
  expect(new Set(end.messages.map(({ id }) => id)).size).toBe(7)
  expect(end.messages.filter(({ author }) => author !== 'customer').every(({ tick }) => tick === 'read')).toBe(true)
  expect(end.messages.filter(({ author }) => author === 'customer').every(({ tick }) => tick === undefined)).toBe(true)
  expect(end).toMatchObject({ typing: undefined, assignee: 'Priya Nair', tags: ['Customer', 'Gift wrap'] })
})

test('a message ends the typing before it', () => {
  for (const [index, beat] of script.entries()) {
    if (beat.kind === 'typing') expect(demoAfter(index + 1).typing).toBe(beat.author)
    if (beat.kind === 'message') expect(demoAfter(index + 1).typing).toBeUndefined()
  }
})

test('ticks only move up, and only on the newest message', () => {
  const order = ['sent', 'delivered', 'read']
  for (const [index, beat] of script.entries()) {
    if (beat.kind !== 'tick') continue
    const before = demoAfter(index).messages
    const after = demoAfter(index + 1).messages
    expect(order.indexOf(after.at(-1)?.tick ?? '')).toBeGreaterThan(order.indexOf(before.at(-1)?.tick ?? ''))
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1))
  }
})

test('a new message lifts its conversation to the top and counts as unread', () => {
  const { others } = demoAfter(script.length)
  expect(others.map(({ id }) => id)).toEqual(['ravi', 'meera', 'omar'])
  expect(others.map(({ unread }) => unread)).toEqual([1, 2, 0])
})
