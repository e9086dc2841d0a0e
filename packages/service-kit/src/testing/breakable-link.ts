import type { AddressInfo } from 'node:net'
import { createServer, connect as openSocket, type Socket } from 'node:net'

/** A TCP connection to a real server that a test can cut, silence and mend. */
export interface BreakableLink {
  readonly port: number
  /** Ends every connection and refuses new ones. */
  readonly cut: () => void
  /** Keeps connections open but lets nothing through, as a network that drops packets does. */
  readonly silence: () => void
  readonly mend: () => void
  readonly close: () => Promise<void>
}

/** @param target host and port of the real server, as a URL. */
export async function openBreakableLink(target: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(target)
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  const sockets = new Set<Socket>()

  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = openSocket(Number(port), hostname)
    const pass = (to: Socket) => (chunk: Buffer) => {
      if (state === 'whole') to.write(chunk)
    }
    near.on('data', pass(far))
    far.on('data', pass(near))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut'
      endAll()
    },
    silence: () => {
      state = 'silent'
    },
    mend: () => {
      // Data sent while nothing was let through is lost: both ends must start afresh.
      if (state === 'silent') endAll()
      state = 'whole'
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endAll()
      }),
  }
}
