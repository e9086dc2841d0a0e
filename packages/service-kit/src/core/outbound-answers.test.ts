import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { client, get, serve } from '../testing/outbound-server.ts'

test('method, headers and body arrive; a redirect is an answer and is not followed', async () => {
  let received = ''
  const { port, seen } = await serve((request, response) => {
    request.on('data', (chunk) => (received += String(chunk)))
    request.on('end', () =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/', 'x-echo': request.headers['x-signature'] }).end(),
    )
  })
  const answer = await client({ allowLoopback: true }).send({
    url: `http://127.0.0.1:${port}/hook`,
    method: 'POST',
    headers: { 'x-signature': 's' },
    body: 'hello',
  })
  expect([answer.status, answer.headers['x-echo'], received, seen()]).toEqual([302, 's', 'hello', 1])
})

test('an answer that is too large is given up', async () => {
  const { port } = await serve((_request, response) => response.end('x'.repeat(2000)))
  const http = client({ allowLoopback: true, maxAnswerBytes: 1000 })
  await expect(get(http, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'too_large' })
})

test('an answer that trickles is given up as a whole, however often a byte comes', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const http = client({ allowLoopback: true, timeoutMs: 300 })
  await expect(get(http, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'timeout' })
})

test.each([
  ['certificate_untrusted', { name: 'localhost', days: 1, isTrusted: false }],
  ['certificate_expired', { name: 'localhost', days: -1, isTrusted: true }],
  ['certificate_other_name', { name: 'other.example', days: 1, isTrusted: true }],
] as const)('a server is not called: %s', async (reason, { name, days, isTrusted }) => {
  const { key, cert } = certificate(name, days)
  if (isTrusted) trust(cert)
  let calls = 0
  const server = createTlsServer({ key, cert }, (_request, response) => {
    calls += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  await expect(get(client({ allowLoopback: true }), `https://localhost:${port}/`)).rejects.toMatchObject({ reason })
  expect(calls).toBe(0)
})

test('a server that speaks no TLS is told from one that is away', async () => {
  const { port } = await serve((_request, response) => response.end())
  await expect(get(client({ allowLoopback: true }), `https://localhost:${port}/`)).rejects.toMatchObject({
    reason: 'tls_failed',
  })
})

test('what comes is read as far as it is wanted, and no address is called that send refuses', async () => {
  let closed = false
  const { port, seen } = await serve((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    response.writeHead(200, { 'content-type': 'application/pdf' })
    response.on('close', () => (closed = true))
    response.write(Buffer.alloc(100_000, 1))
    return undefined
  })
  const http = client({ allowLoopback: true })
  const url = `http://localhost:${port}`
  const first = await http.receive({ url: `${url}/file`, timeoutMs: 30_000 }, async ({ status, headers, body }) => {
    for await (const chunk of body) return [status, headers['content-type'], chunk[0]]
    return []
  })
  expect(first).toEqual([200, 'application/pdf', 1])
  await expect.poll(() => closed).toBe(true)
  // A redirect is an answer: who follows it asks for it like for any other address.
  expect(await http.receive({ url: `${url}/moved`, timeoutMs: 30_000 }, async ({ status }) => status)).toBe(302)
  const before = seen()
  for (const refused of ['http://10.0.0.1/', 'https://169.254.169.254/', `ftp://localhost:${port}/`])
    await expect(http.receive({ url: refused, timeoutMs: 1000 }, async () => 1)).rejects.toMatchObject({
      reason: 'address_refused',
    })
  expect(seen()).toBe(before)
  const stalls = http.receive({ url: `${url}/file`, timeoutMs: 300 }, async ({ body }) => {
    for await (const _chunk of body);
  })
  await expect(stalls).rejects.toMatchObject({ reason: 'timeout' })
  // An error of the reader's own stays what it is.
  const own = http.receive({ url: `${url}/file`, timeoutMs: 30_000 }, async () => {
    throw new RangeError('too large')
  })
  await expect(own).rejects.toThrow(RangeError)
  // It stays so where the reader has read a part of it, and closed it.
  for (const closes of [true, false]) {
    const refuses = http.receive({ url: `${url}/file`, timeoutMs: 30_000 }, async ({ body }) => {
      for await (const _chunk of body) {
        if (closes) body.destroy()
        throw new RangeError('of the wrong kind')
      }
    })
    await expect(refuses).rejects.toThrow(RangeError)
  }
})

test('an answer that breaks off is a failure of its server, whatever its reader makes of it', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '200000' })
    response.write(Buffer.alloc(100_000, 1), () => response.destroy())
  })
  const broken = client({ allowLoopback: true }).receive(
    { url: `http://localhost:${port}/file`, timeoutMs: 30_000 },
    async ({ body }) => {
      for await (const _chunk of body);
    },
  )
  await expect(broken).rejects.toMatchObject({ reason: 'unreachable' })
})

/** A certificate that its own key has signed. @param days for which it is valid from now on; negative: it has expired. */
function certificate(name: string, days: number): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, first, cert] = ['key', 'first', 'cert'].map((file) => join(folder, file)) as [string, string, string]
  const run = (command: string) => execFileSync('openssl', command.split(' '), { stdio: 'ignore' })
  run(
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${key} -out ${first} -days 1 -subj /CN=${name} -addext subjectAltName=DNS:${name}`,
  )
  run(`x509 -in ${first} -signkey ${key} -days ${days} -out ${cert}`)
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

function trust(cert: string): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  onTestFinished(() => setDefaultCACertificates(before))
}
