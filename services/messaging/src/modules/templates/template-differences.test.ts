import { expect, test } from 'vitest'
import { definitionOf } from '../../whatsapp/template-components.ts'
import { linksOf } from './link-target.ts'
import { changesOf } from './template-differences.ts'
import type { TemplateRecord } from './templates.model.ts'

const tracked = 'https://links.example.com/l/'
const order = { kind: 'url' as const, text: 'Order', url: 'https://chai.example/o/{{2}}', tracked }
const shop = { kind: 'url' as const, text: 'Shop', url: 'https://chai.example/shop', tracked }
const record = {
  id: 'template-1',
  workspaceId: 'workspace-1',
  businessAccountId: '1',
  waTemplateId: '77',
  version: 1,
  createdAt: new Date(),
  updatedAt: new Date(),
  status: 'approved',
  category: 'marketing',
  name: 'spring',
  language: 'en',
  body: 'Hi {{1}}, our new tea is here.',
  examples: { 1: 'Asha', 2: 'CC-1' },
  buttons: [order, shop],
} satisfies TemplateRecord

/** The template as WhatsApp has it, which knows our address alone. */
const there = (over: Partial<TemplateRecord> = {}) => {
  const { components } = definitionOf({ ...record, ...over })
  expect(JSON.stringify(components)).not.toContain('chai.example')
  return { id: '77', name: 'spring', language: 'en', status: 'APPROVED', category: 'MARKETING', components } as const
}
const atWhatsApp = (over?: Partial<TemplateRecord>) => ({
  ...there(over),
  rejected_reason: undefined,
  quality_score: undefined,
})

test('a template with counted links is at WhatsApp as it was handed in', () => {
  expect(changesOf(record, atWhatsApp(), new Date())).toBeUndefined()
})

test('a text that was changed at WhatsApp leaves counted links where they lead, also where they were moved or renamed', () => {
  const body = 'Hi {{1}}, our teas of {{2}} are here for you all.'
  const examples = { 1: 'Asha', 2: 'spring' }
  const buttons = [shop, { ...order, text: 'Order now' }]
  const changes = changesOf(record, atWhatsApp({ body, examples, buttons }), new Date())?.$set
  expect(changes).toMatchObject({
    body,
    buttons: [shop, { ...order, text: 'Order now', url: 'https://chai.example/o/{{3}}' }],
    examples: { 1: 'Asha', 2: 'spring', 3: 'CC-1' },
  })
})

test('each message has its links, filled with its values; the values are not sent to WhatsApp', () => {
  expect(linksOf(record, { 1: 'Ravi', 2: 'CC-9' })).toEqual([
    { index: 0, url: 'https://chai.example/o/CC-9' },
    { index: 1, url: 'https://chai.example/shop' },
  ])
})
