import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { z } from 'zod'

const tokenAnswerSchema = z.object({ access_token: z.string(), refresh_token: z.string() })

/**
 * Stands between a BFF and the real provider and passes everything on, unless told otherwise: so a test can count calls,
 * and see what happens while the provider is away, slow or refusing.
 */
export async function startProviderGate() {
  const issuer = new URL(inject('stack').urls.identity)
  const grants: string[] = []
  let mode: 'pass' | 'cut' | 'silent' | { status: number; body: unknown } = 'pass'
  let held: Promise<void> | undefined
  const tokens: string[] = []
  const calls: string[] = []
  const visitors: string[] = []

  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const grant = new URLSearchParams(body.toString()).get('grant_type')
    if (grant) {
      grants.push(grant)
      visitors.push(String(req.headers['x-forwarded-for']))
    }
    calls.push(req.url?.split(/[/?]/).findLast(Boolean) ?? '')
    if (mode === 'cut') return void req.socket.destroy()
    if (mode === 'silent') return undefined
    if (grant) await held
    if (mode !== 'pass' && grant) {
      res.writeHead(mode.status, { 'content-type': 'application/json' })
      return void res.end(JSON.stringify(mode.body))
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = req.headers
    const answer = await fetch(new URL(req.url ?? '/', issuer), {
      method: req.method ?? 'GET',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body.length > 0 ? body : null,
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (grant && answer.ok) {
      const { access_token, refresh_token } = tokenAnswerSchema.parse(JSON.parse(bytes.toString()))
      tokens.push(access_token, refresh_token)
    }
    res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    return void res.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** Value of `OIDC_INTERNAL_ISSUER`. */
    url: `http://127.0.0.1:${port}${issuer.pathname}`,
    grants,
    /** Last parts of the requested paths: `token`, `userinfo`. */
    calls,
    /** Clients for whom grants were requested: the header of proxies. */
    visitors,
    /** Access and refresh tokens that passed through. */
    tokens,
    /** Lets grants wait. @returns what lets them continue. */
    hold: () => {
      let release = () => {}
      held = new Promise((resolve) => {
        release = () => {
          held = undefined
          resolve()
        }
      })
      return () => release()
    },
    set: (next: typeof mode) => {
      mode = next
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
