import { expect, test } from 'vitest'
import { startSimulator } from '../testing/start-simulator.ts'

test('the stream of the page is open before anything happens', async () => {
  const { app, stop } = await startSimulator()
  const left = new AbortController()
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const stream = await fetch(`${url}/sim/stream`, { signal: left.signal })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
  } finally {
    left.abort()
    await stop()
  }
})
