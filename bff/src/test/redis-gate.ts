import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { inject } from 'vitest'

/** Stands between a BFF and Redis, so that a test can take Redis away and give it back. For `REDIS_URL`. */
export async function startRedisGate() {
  const target = new URL(inject('stack').env.bff['REDIS_URL'] ?? '')
  const sockets = new Set<Socket>()
  let closed = false
  const server = createServer((client) => {
    if (closed) return void client.destroy()
    const redis = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.once('close', () => sockets.delete(from))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    setAway: (value: boolean) => {
      closed = value
      if (closed) cut()
    },
    /** Lets no new connection in; open ones stay. */
    setClosed: (value: boolean) => {
      closed = value
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
