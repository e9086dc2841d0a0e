import { once } from 'node:events'
import { createServer } from 'node:http'
import { decodeJwt } from 'jose'
import { waitFor } from './wait-for.ts'

export type LogoutInbox = Awaited<ReturnType<typeof openLogoutInbox>>

/** Stands where the BFF would take logout tokens and keeps what arrives. Port 0 takes a free one. */
export async function openLogoutInbox(port: number) {
  const tokens: string[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(Buffer.from(chunk))
    const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token')
    if (req.method === 'POST' && token) tokens.push(token)
    res.writeHead(token ? 200 : 400).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    /** The logout token of a session, once it is here. */
    wait: (sid: string) =>
      waitFor(`a logout token for ${sid}`, async () => tokens.find((token) => decodeJwt(token)['sid'] === sid)),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
