import { eventSchema } from '@parley/contracts/platform/events'
import { expect } from 'vitest'
import type { joinMessaging } from './start-messaging.ts'

type Person = ReturnType<Awaited<ReturnType<typeof joinMessaging>>['signIn']>

interface Entry {
  readonly id: number
  readonly event: string
  readonly data: unknown
}

/** An open stream, and what has come of it so far. */
export async function listen(by: Person, lastEventId?: number) {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
  const answer = await by.request('GET', '/api/events', undefined, headers)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  let text = ''
  const reader = answer.body?.getReader()
  void (async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      text += Buffer.from(next.value).toString()
  })().catch(() => undefined)
  const entries = (): Entry[] =>
    [...text.matchAll(/id: (\d+)\nevent: (.*)\ndata: (.*)\n\n/g)].map(([, id, event = '', data = '{}']) => ({
      id: Number(id),
      event,
      data: JSON.parse(data),
    }))
  const records = () => entries().flatMap(({ event, data }) => (event === 'record' ? [eventSchema.parse(data)] : []))
  return { entries, records, leave: () => reader?.cancel() }
}
