import type { Message } from '@parley/contracts/messages'
import { expect, test } from 'vitest'
import { answerLines, orderLines, remarksOf } from './chat.ts'

test('an order and a filled-in form are written line by line', () => {
  const items = [
    { id: 'tea-1', quantity: 2, price: 30.5, currency: 'USD' },
    { id: 'tea-2', quantity: 1, price: 5 },
  ]
  expect(orderLines({ type: 'order', text: '', items })).toEqual(['2 × tea-1, $30.50 each', '1 × tea-2, 5 each'])
  expect(orderLines({ type: 'order', text: '', items: [], total: { amount: 66, currency: 'EUR' } })).toEqual([
    'Total: €66.00',
  ])
  expect(answerLines([{ question: 'Day', answer: 'Monday' }])).toEqual(['Day: Monday'])
})

test('a line says where its message comes from', () => {
  const message: Message = {
    id: 'm',
    conversationId: 'c',
    direction: 'inbound',
    content: { type: 'text', text: 'Hi' },
    cause: { kind: 'customer', id: 'k' },
    sentAt: '2026-01-01T00:00:00.000Z',
  }
  const referral = { kind: 'ad', headline: 'Spring tea' } as const
  expect(remarksOf({ ...message, forwarded: 'many_times' })).toEqual(['forwarded'])
  expect(remarksOf({ ...message, referral })).toEqual(['came from an ad: Spring tea'])
  expect(remarksOf({ ...message, productId: 'tea-1' })).toEqual(['about the product tea-1'])
})
