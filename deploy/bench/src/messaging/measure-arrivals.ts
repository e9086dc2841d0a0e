import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventsApi } from '@parley/contracts/platform/event-stream'
import { withCleanUp } from '../program.ts'
import type { Rig } from './rig.ts'
import { inboundText } from './webhooks.ts'

/** Maximum pause between two webhooks, so that they arrive at any phase of periodic work. */
const maxPauseMs = 100

/**
 * Measures the milliseconds from the moment at which the platform posts a customer's message to the moment at which another
 * browser, signed in at the app, receives it.
 */
export const measureArrivals = (rig: Rig, arrivals: number): Promise<number[]> =>
  withCleanUp(async (cleanUp) => {
    const { hook, lines } = rig
    cleanUp.use(await rig.startWorker())
    const stream = cleanUp.use(await openStream(rig))
    const durations: number[] = []
    // Start-up work of the worker, and the first of everything, is not counted.
    const warmUp = 5
    for (let index = 0; index < arrivals + warmUp; index += 1) {
      const phoneNumberId = lines[index % lines.length]?.phoneNumberId ?? ''
      const from = `9196${String(index).padStart(8, '0')}`
      const webhook = inboundText(hook, { phoneNumberId, from, wamid: `wamid.${randomUUID()}`, text: 'Hello' })
      const postedAt = performance.now()
      const arrival = stream.nextNewMessage()
      const { status } = await fetch(hook.url, { method: 'POST', ...webhook })
      if (status !== 200) throw new Error(`ingest answered ${status}`)
      await arrival
      if (index >= warmUp) durations.push(performance.now() - postedAt)
      await delay(Math.random() * maxPauseMs)
    }
    return durations
  })

async function openStream({ person }: Rig) {
  const closing = new AbortController()
  const { method, path } = eventsApi.stream
  const response = await fetch(`${person.origin}${path}`, {
    method,
    headers: { ...person.headers, accept: 'text/event-stream' },
    signal: closing.signal,
  })
  if (!response.ok || !response.body) throw new Error(`the stream of events answered ${response.status}`)
  const pieces = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  const isNewMessage = (event: string) => /"direction":"inbound"/.test(event) && /"created":true/.test(event)

  /** Resolves once a new message of a customer is announced. No one else writes meanwhile. */
  async function nextNewMessage(): Promise<void> {
    let text = ''
    while (!text.split('\n\n').some(isNewMessage)) {
      const { value, done } = await pieces.next()
      if (done) throw new Error('the stream of events has ended')
      text += value
    }
  }
  return { nextNewMessage, [Symbol.asyncDispose]: async () => closing.abort() }
}
