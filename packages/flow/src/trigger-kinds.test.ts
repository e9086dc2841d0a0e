import { expect, test } from 'vitest'
import { picture, write } from './interpreter-fixtures.ts'
import { handedOver, type KindOf, named, over, played } from './kind-fixtures.ts'

const cases = named<KindOf<'trigger'>>({
  keyword: [
    {
      settings: { kind: 'keyword', keywords: ['Order'], match: 'exact' },
      lines: [write(' order ')],
      does: ['say by next', ...over],
    },
    {
      settings: { kind: 'keyword', keywords: ['order'], match: 'exact' },
      lines: [write('my order')],
      does: ['passed no_trigger'],
    },
    {
      settings: { kind: 'keyword', keywords: ['order'], match: 'word' },
      lines: [write('My ORDER?')],
      does: ['say by next', ...over],
    },
    {
      settings: { kind: 'keyword', keywords: ['hi'], match: 'word' },
      lines: [write('what is this')],
      does: ['passed no_trigger'],
    },
  ],
  any_message: [
    { settings: { kind: 'any_message' }, lines: [picture], does: ['say by next', ...over] },
    {
      settings: { kind: 'any_message', when: 'first' },
      lines: [write('x'), write('y')],
      does: ['say by next', ...over, 'passed no_trigger'],
    },
    {
      settings: { kind: 'any_message' },
      lines: [write('a human, please')],
      does: handedOver('The customer asks for a person.', 'Last message: a human, please'),
    },
  ],
  handed_over: [
    {
      settings: { kind: 'handed_over' },
      lines: [{ type: 'handed_over' }],
      does: ['say by next', 'release resolved', 'end completed'],
    },
    { settings: { kind: 'handed_over' }, lines: [write('x')], does: ['passed no_trigger'] },
  ],
  event: [
    {
      settings: {
        kind: 'event',
        event: 'contact.tag_added',
        filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'VIP' }] },
      },
      lines: [{ type: 'event', event: 'contact.tag_added' }],
      does: ['say by next', ...over],
    },
    {
      settings: {
        kind: 'event',
        event: 'contact.tag_added',
        filter: { match: 'all', conditions: [{ field: 'campaign', comparison: 'equals', value: 'Summer' }] },
      },
      lines: [
        { type: 'event', event: 'contact.tag_added' },
        { type: 'event', event: 'contact.created', fields: { campaign: 'summer' } },
        { type: 'event', event: 'contact.tag_added', fields: { campaign: 'summer' } },
      ],
      does: ['passed no_trigger', 'passed no_trigger', 'say by next', ...over],
    },
  ],
  schedule: [
    {
      settings: {
        kind: 'schedule',
        repeat: { every: 'day' },
        time: '09:00',
        timeZone: 'UTC',
        segmentId: 'all',
        filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'VIP' }] },
      },
      lines: [
        { type: 'event', event: 'contact.created' },
        { type: 'event', event: 'schedule', triggerId: 'another' },
        { type: 'event', event: 'schedule' },
      ],
      does: ['passed no_trigger', 'passed no_trigger', 'say by next', ...over],
    },
  ],
  hook: [
    {
      settings: { kind: 'hook', contact: { by: 'phone', pointer: '/phone' } },
      lines: [
        { type: 'event', event: 'contact.created' },
        { type: 'event', event: 'hook', triggerId: 'another' },
        { type: 'event', event: 'hook' },
      ],
      does: ['passed no_trigger', 'passed no_trigger', 'say by next', ...over],
    },
  ],
})

test.each(cases)('%s', (_, one) => {
  expect(played(one)).toEqual(one.does)
})
