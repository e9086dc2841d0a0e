import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { userSchema } from '@parley/contracts/account/profile'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

async function signedUp(on: Bff = bff) {
  const browser = on.browser()
  const email = newAddress()
  await browser.signUp(email, 'correct horse')
  return { browser, email }
}
const json = { 'content-type': 'application/json' }

test('the three calls of the profile, with a JSON content type and no body for sync', async () => {
  const { browser, email } = await signedUp()
  const bearer = await browser.bearer()
  expect((await browser.send('POST', '/api/auth/sync', { headers: { ...bearer, ...json } })).status).toBe(200)
  const user = userSchema.parse(await (await browser.send('GET', '/api/auth/user')).json())
  expect(user).toMatchObject({
    email,
    firstName: '',
    lastName: '',
    mobile: '',
    address: '',
    timezone: '',
    profileImageUrl: '',
  })
  const patched = await browser.send('PATCH', '/api/auth/profile', {
    headers: { ...bearer, ...json },
    body: JSON.stringify({ firstName: 'Ann', lastName: 'Stone' }),
  })
  expect(patched.status).toBe(200)
  expect(userSchema.parse(await patched.json())).toMatchObject({ firstName: 'Ann', lastName: 'Stone' })
})

test.each([
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/api/auth'],
  ['GET', '/api/auth/user/'],
  ['GET', '/API/auth/user'],
  ['GET', '/api/Auth/User'],
  ['GET', '/api/auth/..%2fuser'],
  ['GET', '/api//auth/user'],
  ['GET', '/api/internal/session-context'],
  ['GET', '/api/no-such-thing'],
])('%s %s is not there', async (method, path) => {
  const { browser } = await signedUp()
  const response = await browser.send(method, path)
  // A path outside /api is the page's own 404; none reaches a service.
  if (response.headers.get('content-type')?.includes('json')) expect(response.status).toBe(404)
  else expect(await response.text()).toContain('<title>Parley</title>')
})

test('a known path with another method is 405 and names the right one', async () => {
  const response = await bff.browser().send('DELETE', '/api/auth/user')
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET')
})

test('the service’s own refusal passes through with its fields', async () => {
  const { browser } = await signedUp()
  const response = await browser.send('PATCH', '/api/auth/profile', {
    headers: { ...json, ...(await browser.bearer()) },
    body: '{"timezone":"Mars/Olympus"}',
  })
  expect(response.status).toBe(400)
  expect(errorBodySchema.parse(await response.json()).fields).toHaveProperty('timezone')
})

/** A service of our own making, to see exactly what the proxy sends and how it treats a bad upstream. */
async function withUpstream<T>(
  behave: (headers: IncomingHttpHeaders, url: string, respond: (status: number, body: string) => void) => void,
  run: (on: Bff) => Promise<T>,
): Promise<T> {
  const real = inject('stack').env.bff['PROFILE_URL'] ?? ''
  const upstream = createServer(async (req, res) => {
    const body = await text(req)
    if (req.url === '/readyz') return void res.end()
    if (req.url?.startsWith('/internal/')) {
      const headers = { authorization: String(req.headers.authorization), ...json }
      const answer = await fetch(`${real}${req.url}`, { method: 'POST', headers, body })
      res.writeHead(answer.status, json)
      return void res.end(await answer.text())
    }
    behave(req.headers, req.url ?? '', (status, answer) => {
      res.writeHead(status, { ...json, 'set-cookie': 'evil=1', server: 'secret-server' })
      res.end(answer)
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const on = await startBff({ PROFILE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` })
  try {
    return await run(on)
  } finally {
    await on.stop()
    upstream.closeAllConnections()
    upstream.close()
  }
}

test('a service that refuses our internal token signs nobody out', async () => {
  await withUpstream(
    (_headers, _url, respond) => respond(401, '{"code":"unauthenticated","message":"x","requestId":"y"}'),
    async (on) => {
      const { browser } = await signedUp(on)
      const response = await browser.send('GET', '/api/auth/user')
      expect(response.status).toBe(502)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(errorBodySchema.parse(await response.json()).code).toBe('upstream_failed')
      expect(on.log.join('')).toContain('internal token refused')
    },
  )
})

test('only listed headers reach the service, also behind Expect: 100-continue, and none of its own come back', async () => {
  const seen: { headers: IncomingHttpHeaders; url: string }[] = []
  await withUpstream(
    (headers, url, respond) => {
      seen.push({ headers, url })
      respond(200, '{}')
    },
    async (on) => {
      const { browser } = await signedUp(on)
      const { authorization } = await browser.bearer()
      const { port } = new URL(on.url)
      const raw = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1')
        let received = ''
        socket.on('data', (chunk) => {
          received += chunk
          if (received.endsWith('0\r\n\r\n')) socket.end()
        })
        socket.on('close', () => resolve(received))
        socket.on('error', reject)
        socket.write(
          [
            'PATCH /api/auth/profile?x=1 HTTP/1.1',
            'Host: evil.example',
            `Cookie: ${browser.cookie()}; other=1`,
            `Authorization: ${authorization}`,
            'Sec-Fetch-Site: same-origin',
            'X-User-Id: someone-else',
            'X-Forwarded-For: 1.2.3.4',
            'X-Request-Id: chosen-by-caller',
            'Expect: 100-continue',
            'Content-Type: application/json',
            'Content-Length: 2',
            '',
            '{}',
          ].join('\r\n'),
        )
      })
      expect(raw).toMatch(/200 OK/)
      expect(raw).not.toMatch(/evil=1|secret-server/)
      const [call] = seen
      expect(call?.url).toBe('/api/auth/profile')
      expect(Object.keys(call?.headers ?? {}).sort()).toEqual(
        ['authorization', 'connection', 'content-length', 'content-type', 'host', 'x-request-id'].sort(),
      )
      expect(call?.headers.authorization).not.toBe(authorization)
      expect(call?.headers['x-request-id']).not.toBe('chosen-by-caller')
    },
  )
})
