import { nodeKinds } from '@parley/contracts/automation/flow'
import { problemsOf } from '@parley/flow/problems'
import { expect, test } from 'vitest'
import { kinds } from './kinds.ts'
import { durationText, inUnits } from './labels.ts'
import { starterFlows } from './starter-flows.ts'
import { summaryOf } from './summary.ts'

const names = {
  bots: [{ id: 'bot-1', name: 'Order status' }],
  templates: [{ id: 't1', name: 'order_update' }],
  members: [{ id: 'u1', name: 'Meera Das' }],
  segments: [{ id: 's1', name: 'Regulars' }],
  connections: [{ id: 'c1', name: 'Shop' }],
  forms: [{ id: 'f1', name: 'Book a visit' }],
}
const hours = (days: readonly number[]) => ({
  kind: 'business_hours',
  hours: {
    use: 'own',
    timeZone: 'Asia/Kolkata',
    spans: days.map((day) => ({ day, from: '09:00', to: '18:00' })),
    closedOn: [],
  },
})

const scheduled = (repeat: object) => ({
  kind: 'schedule',
  repeat,
  time: '09:00',
  timeZone: 'Asia/Kathmandu',
  segmentId: 's1',
})

test.each([
  [{ kind: 'keyword', keywords: ['hi', 'hello'], match: 'word' }, 'Contains “hi” or “hello”'],
  [{ kind: 'keyword', keywords: ['hi'], match: 'exact' }, 'Is “hi”'],
  [{ kind: 'event', event: 'contact.created' }, 'Contact created'],
  [{ kind: 'send_text', text: 'Hello' }, 'Hello'],
  [{ kind: 'send_template', templateId: 't1', variables: {} }, 'order_update'],
  [{ kind: 'go_to_bot', botId: 'bot-1' }, 'Order status'],
  [{ kind: 'go_to_bot', botId: 'gone' }, 'gone'],
  [{ kind: 'hook', contact: { by: 'phone', pointer: '/phone' } }, 'A call names the phone number at /phone'],
  [{ kind: 'http_call', connectionId: 'c1', method: 'POST', path: '/orders' }, 'POST Shop /orders'],
  [{ kind: 'attribute', attribute: 'city', comparison: 'is_set' }, 'city is set'],
  [{ kind: 'last_answer', comparison: 'contains', value: 'tea' }, 'Answer contains tea'],
  [hours([5, 1, 2, 3, 4]), 'Mon–Fri, 09:00–18:00'],
  [hours([0, 6]), 'Sat, Sun, 09:00–18:00'],
  [hours([0, 1, 2, 3, 4, 5, 6]), 'Every day, 09:00–18:00'],
  [{ kind: 'business_hours', hours: { use: 'workspace' } }, 'Hours of the workspace'],
  [{ kind: 'keyword', keywords: ['hi'], match: 'starts_with' }, 'Starts with “hi”'],
  [{ kind: 'assign', to: { kind: 'queue' } }, 'To the queue'],
  [{ kind: 'assign', to: { kind: 'member', memberId: 'u1' } }, 'To Meera Das'],
  [{ kind: 'form', text: 'Come in', button: 'Open', formId: 'f1' }, 'Book a visit: Come in'],
  [{ kind: 'send_media', media: 'document', mediaId: 'm1', fileName: 'prices.pdf' }, 'Document: prices.pdf'],
  [{ kind: 'wait_reply', timeoutSeconds: 86_400 }, 'At most 1 day'],
  [scheduled({ every: 'day' }), 'Every day at 09:00, for Regulars'],
  [scheduled({ every: 'week', days: [4, 1] }), 'Mon, Thu at 09:00, for Regulars'],
  [scheduled({ every: 'month', day: 31 }), 'Day 31 of each month at 09:00, for Regulars'],
  [scheduled({ every: 'week', days: [] }), ''],
  [{ kind: 'send_text', text: '' }, ''],
  [{ kind: 'dance' }, ''],
])('%j reads %s', (settings, text) => {
  expect(summaryOf(settings, names)).toBe(text)
})

test('time spans are told in the largest unit that fits', () => {
  expect([90, 120, 7200, 172_800].map(durationText)).toEqual(['90 seconds', '2 minutes', '2 hours', '2 days'])
  expect(inUnits(0)).toEqual({ amount: 0, unit: 'second' })
})

test('the starters have no problem but that the blank one needs a trigger', () => {
  expect([problemsOf(starterFlows.sample), problemsOf(starterFlows.workflow)]).toEqual([[], []])
  expect(problemsOf(starterFlows.blank).map(({ code }) => code)).toEqual(['no_trigger'])
})

test('every kind of the contract has a name and an icon', () => {
  expect(Object.keys(kinds).toSorted()).toEqual(Object.values(nodeKinds).flat().toSorted())
  expect(new Set(Object.values(kinds).map(({ label }) => label)).size).toBe(Object.keys(kinds).length)
})
