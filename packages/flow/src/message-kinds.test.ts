import { expect, test } from 'vitest'
import { refuse, write } from './interpreter-fixtures.ts'
import { broken, type KindOf, named, over, played } from './kind-fixtures.ts'

const cases = named<Extract<KindOf<'action'>, `send_${string}`>>({
  send_text: [
    {
      settings: { kind: 'send_text', text: 'Hi {{ first_name }} of {{city}}{{nothing}}!' },
      does: ['say Hi Asha of Pune!', 'say by next', ...over],
    },
    {
      settings: { kind: 'send_text', text: '{{nothing}}' },
      branches: ['next', 'failed'],
      does: ['say by failed', ...over],
    },
    {
      settings: { kind: 'send_text', text: 'Hello' },
      branches: ['next', 'failed'],
      lines: [refuse('send'), write('hi')],
      does: ['say Hello !window_closed', 'say by failed', ...over],
    },
    {
      settings: { kind: 'send_text', text: 'Hello' },
      lines: [refuse('send', 'opted_out'), write('hi')],
      does: ['say Hello !opted_out', ...broken('the customer has opted out')],
    },
  ],
  send_media: [
    {
      settings: { kind: 'send_media', media: 'document', mediaId: 'm1', fileName: 'prices.pdf', caption: '{{name}}' },
      does: ['send document', 'say by next', ...over],
    },
    {
      settings: { kind: 'send_media', media: 'audio', mediaId: 'm1' },
      branches: ['next', 'failed'],
      lines: [refuse('send'), write('hi')],
      does: ['send audio !window_closed', 'say by failed', ...over],
    },
  ],
  send_template: [
    {
      settings: { kind: 'send_template', templateId: 't1', variables: { '1': '{{name}}' } },
      does: ['send_template', 'say by next', ...over],
    },
    {
      settings: { kind: 'send_template', templateId: 't1', variables: {} },
      branches: ['next', 'failed'],
      lines: [refuse('send_template', 'quota_reached'), write('hi')],
      does: ['send_template !quota_reached', 'say by failed', ...over],
    },
  ],
})

test.each(cases)('%s', (_, one) => {
  expect(played(one)).toEqual(one.does)
})
