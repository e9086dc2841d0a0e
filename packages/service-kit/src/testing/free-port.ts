import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections and to callers that ask for any port, and below those of local stacks
 * (from 20,000): in the seconds until a process of a test listens there, no other process is given the same.
 */
const [lowest, count] = [10_000, 10_000]
let tried = Math.floor(Math.random() * count)

/** A TCP port on loopback that is free, and that no other call of this process has been given lately. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < count; attempt += 1) {
    tried += 1
    const port = lowest + (tried % count)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${lowest} on is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
