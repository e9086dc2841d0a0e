import { startCollector } from '@parley/service-kit/testing/collector'
import { expect, test } from 'vitest'
import { flowOf, keyword, text } from './drawn-flows.ts'
import { startWorkers } from './start-workers.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

test('a bot that answers at once does so in the trace of the message', async () => {
  const collector = await startCollector()
  const traces = { recorded: `00-${traceId}-00f067aa0ba902b7-01`, called: new Map<string, string>() }
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' }
  const parley = await startWorkers(traced, traces)
  try {
    await parley.addBot(flowOf([keyword('hi', 'hi'), text('hello', 'Hello!')], ['hi next hello']))
    const talk = parley.messaging.open('Asha')
    parley.messaging.say(talk, { text: 'hi' })
    parley.wake()
    await expect.poll(() => talk.sent.map((sent) => sent.text)).toEqual(['Hello!'])
    const spans = () => collector.spans().filter((span) => span.traceId === traceId)
    await expect.poll(() => spans().map(({ name }) => name)).toContain('events automation')
    const actions = [...traces.called].filter(([path]) => path.includes('actions'))
    expect(actions.map(([, traceparent]) => traceparent.slice(3, 35))).toEqual([traceId])
  } finally {
    await parley.stop()
    await collector.stop()
  }
})
