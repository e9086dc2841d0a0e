import { startCollector } from '@parley/service-kit/testing/collector'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { startMessaging } from './start-messaging.ts'
import { startReceiver } from './webhook-receiver.ts'

let collector: Awaited<ReturnType<typeof startCollector>>
let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  collector = await startCollector()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' }
  parley = await startMessaging({}, traced)
})
afterAll(async () => {
  await parley.stop()
  await collector.stop()
})

const of = (name: string) => parley.database.connection.collection(name)
/** Spans of a trace, as `process: name`. */
const spansOf = (traceId: string) =>
  collector
    .spans()
    .filter((span) => span.traceId === traceId)
    .map(({ service, name }) => `${service.replace('parley-', '')}: ${name}`)
const traceOf = (traceparent: unknown) => {
  expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  return String(traceparent).slice(3, 35)
}

test('a webhook is one trace to the events that follow from it, an answer one to the call at WhatsApp', async () => {
  const ann = parley.signIn()
  const chats = withChats(parley, ann)
  const conversation = await chats.write('919812370001', 'Meera', 'Where is my order?')
  const [raw] = await of('rawEvents')
    .find({ ...parley.inWorkspace, kind: 'message' })
    .toArray()
  const inbound = traceOf(raw?.['traceparent'])
  await eventually(() => {
    const spans = spansOf(inbound)
    expect(spans).toContainEqual(expect.stringMatching(/^messaging-ingest: /))
    expect(spans).toContain('messaging-worker: apply')
    expect(spans).toContain('messaging-worker: events message-search')
  })
  const event = await of('events').findOne({ ...parley.inWorkspace, type: 'message.changed' })
  expect(traceOf(event?.['traceparent'])).toBe(inbound)

  const shown = await ann.ask('POST', `/api/conversations/${conversation.id}/messages`, {
    clientId: 'an-answer',
    content: { type: 'text', text: 'On its way' },
  })
  const message = await of('messages').findOne({ ...parley.inWorkspace, direction: 'outbound' })
  const outbound = traceOf(message?.['dispatch'].traceparent)
  expect(outbound).not.toBe(inbound)
  await eventually(() => {
    const spans = spansOf(outbound)
    expect(spans).toContainEqual(expect.stringMatching(/^messaging: /))
    expect(spans).toContain('messaging-worker: send')
    expect(spans).toContainEqual(expect.stringMatching(/^messaging-worker: POST .*messages$/))
  })
  expect(JSON.stringify(shown)).not.toContain('traceparent')
  const feed = await parley.signInKey(['events:read']).ask('GET', '/v1/events')
  expect(feed.items.length).toBeGreaterThan(0)
  expect(JSON.stringify(feed)).not.toContain(inbound)
})

test('automation is told the trace of an event, and an outbound webhook belongs to it', async () => {
  const receiver = await startReceiver()
  const sender = await parley.startWebhooks()
  const ann = parley.signIn()
  const automation = parley.signInProcess('automation-worker')
  await automation.ask('PUT', '/internal/automation-state', { active: true, routingVersion: 1 })
  await ann.ask('POST', '/api/webhooks', { name: 'Traced', url: `${receiver.url}/hook`, events: ['message.received'] })
  await withChats(parley, ann).write('919812370002', 'Zoë', 'Is it open?')
  const phone = '+919812370002'
  const contact = await of('contacts').findOne({ ...parley.inWorkspace, phone })
  const message = await of('messages').findOne({ ...parley.inWorkspace, contactId: contact?._id })
  const raw = await of('rawEvents').findOne({ ...parley.inWorkspace, waMessageId: message?.['waMessageId'] })
  const inbound = traceOf(raw?.['traceparent'])
  await eventually(() => {
    expect(receiver.received).toHaveLength(1)
    expect(spansOf(inbound)).toContain('messaging-webhooks: deliver')
  })
  const { items } = await automation.ask('GET', '/internal/events?after=0')
  const traced = items.filter(({ traceparent = '' }) => traceparent.includes(inbound))
  expect(traced.map(({ data }: { data: { messageId?: string } }) => data.messageId)).toContain(String(message?._id))
  await Promise.all([sender.stop(), receiver.stop()])
})
