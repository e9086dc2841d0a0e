import { expect, test } from 'vitest'
import { refuse, write } from './interpreter-fixtures.ts'
import { handed, type KindOf, named, over, played, type QuestionKind } from './kind-fixtures.ts'

/** The smallest call. */
const get = { kind: 'http_call', connectionId: 'shop', method: 'GET', path: '/' } as const

const cases = named<Exclude<KindOf<'action'>, `send_${string}` | QuestionKind>>({
  set_attribute: [
    {
      settings: { kind: 'set_attribute', attribute: 'seen', value: '{{city}}' },
      does: ['set seen=Pune', 'say by next', ...over],
    },
    {
      settings: { kind: 'set_attribute', attribute: 'due', value: 'soon' },
      attributes: [{ name: 'due', label: 'Due', type: 'date', choices: [] }],
      branches: ['next', 'failed'],
      does: ['say by failed', ...over],
    },
  ],
  add_tag: [
    { settings: { kind: 'add_tag', tag: 'lead' }, does: ['add_tag lead', 'say by next', ...over] },
    {
      settings: { kind: 'add_tag', tag: 'lead' },
      branches: ['failed'],
      lines: [refuse('add_tag', 'too_many_tags'), write('hi')],
      does: ['add_tag lead !too_many_tags', 'say by failed', ...over],
    },
  ],
  remove_tag: [{ settings: { kind: 'remove_tag', tag: 'VIP' }, does: ['remove_tag VIP', 'say by next', ...over] }],
  assign: [
    {
      settings: { kind: 'assign', to: { kind: 'member', memberId: 'u1' }, note: 'Ask {{name}}' },
      does: [`say ${handed}`, 'assign u1', 'note Ask Asha Rao / Last message: hi', 'say by next', 'end handed_over'],
    },
    {
      settings: { kind: 'assign', to: { kind: 'queue' } },
      branches: ['next', 'failed'],
      lines: [refuse('assign', 'not_found'), write('hi')],
      does: [`say ${handed}`, 'assign queue !not_found', 'say by failed', ...over],
    },
  ],
  close: [
    { settings: { kind: 'close' }, branches: [], does: ['close', 'end completed'] },
    {
      settings: { kind: 'close' },
      branches: ['failed'],
      lines: [refuse('close', 'conversation_taken'), write('hi')],
      does: ['close !conversation_taken', 'say by failed', ...over],
    },
  ],
  http_call: [
    {
      settings: {
        ...get,
        path: '/orders/{{city}}',
        mappings: [
          { pointer: '/order/state', attribute: 'order' },
          { pointer: '/missing', attribute: 'city' },
          { pointer: '/order/count', attribute: 'count', save: 'session' },
        ],
      },
      lines: [write('hi'), { type: 'http_answer', ok: true, body: '{"order":{"state":"sent","count":2}}' }],
      does: ['GET /orders/Pune', 'set order=sent', 'say by next', ...over],
    },
    {
      settings: get,
      branches: ['next', 'failed'],
      lines: [write('hi'), write('still there?'), { type: 'http_answer', ok: false, body: 'no' }],
      does: ['GET /', 'passed waiting', 'say by failed', ...over],
    },
    {
      settings: { ...get, mappings: [{ pointer: '/a', attribute: 'order' }] },
      branches: ['next', 'failed'],
      lines: [write('hi'), { type: 'http_answer', ok: true, body: '<html>' }],
      does: ['GET /', 'say by failed', ...over],
    },
    {
      settings: get,
      branches: ['next', 'failed', 'uncertain'],
      lines: [write('hi'), { type: 'http_answer', ok: false, uncertain: true, body: '' }],
      does: ['GET /', 'say by uncertain', ...over],
    },
    {
      settings: get,
      branches: ['next', 'failed'],
      lines: [write('hi'), { type: 'http_answer', ok: false, uncertain: true, body: '' }],
      does: ['GET /', 'say by failed', ...over],
    },
  ],
  go_to_bot: [{ settings: { kind: 'go_to_bot', botId: 'bot-2' }, branches: [], does: ['end completed bot-2'] }],
  end: [{ settings: { kind: 'end' }, branches: [], does: ['release', 'end completed'] }],
})

test.each(cases)('%s', (_, one) => {
  expect(played(one)).toEqual(one.does)
})
