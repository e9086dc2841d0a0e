import { expect, test } from 'vitest'
import { hours, picture, wait, write } from './interpreter-fixtures.ts'
import { type KindOf, named, over, played } from './kind-fixtures.ts'

const cases = named<KindOf<'condition' | 'delay'>>({
  business_hours: [
    { settings: hours(), branches: ['yes', 'no'], does: ['say by yes', ...over] },
    { settings: hours('15:30'), branches: ['yes', 'no'], does: ['say by no', ...over] },
    {
      settings: { kind: 'business_hours', hours: { use: 'workspace' } },
      branches: ['yes', 'no'],
      hours: { timeZone: 'Asia/Kolkata', spans: [{ day: 1, from: '08:00', to: '09:00' }], closedOn: [] },
      does: ['say by no', ...over],
    },
    {
      settings: { kind: 'business_hours', hours: { use: 'workspace' } },
      branches: ['yes', 'no'],
      does: ['say by yes', ...over],
    },
  ],
  attribute: [
    {
      settings: { kind: 'attribute', attribute: 'age', comparison: 'greater_than', value: '18' },
      branches: ['yes', 'no'],
      does: ['say by yes', ...over],
    },
    {
      settings: { kind: 'attribute', attribute: 'constructor', comparison: 'is_set' },
      branches: ['yes', 'no'],
      does: ['say by no', ...over],
    },
    {
      settings: { kind: 'attribute', attribute: 'attributes.Order date', comparison: 'less_than', value: '2026-03-02' },
      branches: ['yes', 'no'],
      does: ['say by yes', ...over],
    },
  ],
  tag: [
    { settings: { kind: 'tag', tag: 'VIP' }, branches: ['yes', 'no'], does: ['say by yes', ...over] },
    { settings: { kind: 'tag', tag: 'vi' }, branches: ['yes', 'no'], does: ['say by no', ...over] },
  ],
  last_answer: [
    {
      settings: { kind: 'last_answer', comparison: 'contains', value: 'tea' },
      branches: ['yes', 'no'],
      lines: [write('Green Tea')],
      does: ['say by yes', ...over],
    },
  ],
  wait_time: [
    {
      settings: { kind: 'wait_time', seconds: 60 },
      lines: [write('hi'), write('hello?'), wait(59), wait(1)],
      does: ['wait 60', 'passed waiting', 'say by next', ...over],
    },
  ],
  wait_reply: [
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      lines: [write('hi'), picture],
      does: ['wait 60', 'say by reply', ...over],
    },
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply', 'timeout'],
      lines: [write('hi'), wait(60)],
      does: ['wait 60', 'say by timeout', ...over],
    },
    {
      settings: { kind: 'wait_reply', timeoutSeconds: 60 },
      branches: ['reply'],
      lines: [write('hi'), wait(60)],
      does: ['wait 60', 'release', 'end abandoned'],
    },
  ],
})

test.each(cases)('%s', (_, one) => {
  expect(played(one)).toEqual(one.does)
})
