import { createServer, connect as openSocket, type Socket } from 'node:net'

/**
 * Spreads connections over several processes in turn and passes over one that refuses, as a Kubernetes service does: it knows
 * nothing of HTTP and repeats nothing.
 */
export async function startBalancer(port: number, targets: readonly number[]) {
  let turn = 0
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
    if (left === 0 || target === undefined || near.destroyed) return void near.destroy()
    const far = openSocket(target, '127.0.0.1')
    const refused = () => attempt(near, at + 1, left - 1)
    far.once('error', refused)
    far.once('connect', () => {
      far.off('error', refused)
      track(far)
      far.once('close', () => near.destroy())
      near.once('close', () => far.destroy())
      near.pipe(far)
      far.pipe(near)
      near.resume()
    })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
