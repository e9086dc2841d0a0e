import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** An identity service that counts what it is asked for and answers when it is let. */
export async function countingIdentity() {
  const mailed: string[] = []
  let held = Promise.resolve()
  let [underWay, most] = [0, 0]
  const server = createServer(async (req, res) => {
    if (req.url === '/readyz') return void res.end()
    underWay += 1
    most = Math.max(most, underWay)
    res.once('close', () => {
      underWay -= 1
    })
    mailed.push(await text(req))
    await held
    res.writeHead(202).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mailed,
    /** Returns the highest number of calls under way at one moment. */
    most: () => most,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
