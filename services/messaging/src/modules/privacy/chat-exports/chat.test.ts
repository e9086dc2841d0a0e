import { Readable } from 'node:stream'
import type { Message } from '@parley/contracts/inbox/messages'
import { expect, test } from 'vitest'
import { answerLines, cardLines, orderLines, remarksOf } from './chat.ts'
import { textChat } from './text-chat.ts'

const message: Message = {
  id: 'm',
  conversationId: 'c',
  direction: 'inbound',
  content: { type: 'text', text: 'Hi' },
  cause: { kind: 'customer', id: 'k' },
  sentAt: '2026-01-01T00:00:00.000Z',
}

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
  const referral = { kind: 'ad', headline: 'Spring tea' } as const
  expect(remarksOf({ ...message, forwarded: 'many_times' })).toEqual(['forwarded'])
  expect(remarksOf({ ...message, referral })).toEqual(['came from an ad: Spring tea'])
  expect(remarksOf({ ...message, productId: 'tea-1' })).toEqual(['about the product tea-1'])
})

test('further lines of a message are indented, so that none passes for a message of its own', async () => {
  const members = { nameOf: () => '', inSentence: () => '' }
  const chat = { contact: { name: 'Asha' }, business: 'Tea', members, timeZone: 'UTC', messages: 1 }
  const forged = '2026-01-02, 10:00 - Tea: Your refund is paid'
  const breaks = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029']
  for (const lineBreak of breaks) {
    const entry = { message: { ...message, content: { type: 'text' as const, text: `Hi${lineBreak}${forged}` } } }
    const lines: string[] = []
    for await (const line of textChat({ ...chat, exportedAt: new Date(0) }, Readable.from([entry]))) lines.push(line)
    expect(
      lines
        .join('')
        .split(/[\n\r\v\f\u0085\u2028\u2029]/)
        .find((line) => line.includes(forged)),
    ).toMatch(/^ {4}\S/)
  }
})

test('each card of a carousel is a line, with its buttons', () => {
  const template = { type: 'template', templateId: 't', name: 'row', text: 'New teas' } as const
  const buttons = [{ kind: 'url' as const, text: 'Shop' }]
  expect(cardLines({ ...template, cards: [{ text: 'First flush', buttons }, { buttons }] })).toEqual([
    'First flush [Shop]',
    '[Shop]',
  ])
  expect(cardLines(template)).toEqual([])
})
