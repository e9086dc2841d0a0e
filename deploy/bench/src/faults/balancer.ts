import { once } from 'node:events'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Spreads connections over several processes in turn and passes over one that refuses, as a Kubernetes service does: it knows
 * nothing of HTTP and repeats nothing. Its link may be slow, or cut.
 */
export async function startBalancer(port: number, targets: readonly number[]) {
  let turn = 0
  let slowMs = 0
  let isCut = false
  const open = new Set<Socket>()
  const track = (socket: Socket) => {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  }

  const server = createServer({ pauseOnConnect: true }, (near) => {
    track(near)
    attempt(near, turn++, targets.length)
  })

  function attempt(near: Socket, at: number, left: number): void {
    const target = targets[at % targets.length]
    if (isCut || left === 0 || target === undefined || near.destroyed) return void near.destroy()
    const far = openSocket(target, '127.0.0.1')
    const refused = () => attempt(near, at + 1, left - 1)
    far.once('error', refused)
    far.once('connect', () => {
      far.off('error', refused)
      track(far)
      far.once('close', () => near.destroy())
      near.once('close', () => far.destroy())
      near.pipe(far)
      pipeline(far, delayed, near).catch(() => near.destroy())
      near.resume()
    })
  }

  async function* delayed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      if (slowMs > 0) await delay(slowMs)
      yield chunk
    }
  }

  function destroyAll(): void {
    for (const socket of open) socket.destroy()
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    /** Delays answers, those of open connections too. */
    slow: (ms: number) => {
      slowMs = ms
    },
    cut: () => {
      isCut = true
      destroyAll()
    },
    mend: () => {
      isCut = false
    },
    [Symbol.asyncDispose]: async () => {
      server.close()
      destroyAll()
    },
  }
}
