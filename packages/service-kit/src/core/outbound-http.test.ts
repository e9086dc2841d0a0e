import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { OutboundError } from './outbound-error.ts'
import { createOutboundHttp, type OutboundHttp } from './outbound-http.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(handler: Parameters<typeof createServer>[1]): Promise<{ port: number; seen: () => number }> {
  let seen = 0
  const server: Server = createServer((request, response) => {
    seen += 1
    handler?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, seen: () => seen }
}

function client(options: Parameters<typeof createOutboundHttp>[0] = {}): OutboundHttp {
  const http = createOutboundHttp(options)
  closing.push(http.close)
  return http
}

const get = (http: OutboundHttp, url: string) => http.send({ url, method: 'GET' })

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://[2001:db8::1]/',
])('%s is refused without a connection', async (url) => {
  await expect(get(client(), url)).rejects.toMatchObject({ reason: 'address_refused' })
})

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'https://u:p@example.com/',
  'no address',
])('%s is refused', async (url) => {
  await expect(get(client({ allowLoopback: true }), url)).rejects.toMatchObject({ reason: 'address_refused' })
})

test.each([
  ['a private address', ['10.0.0.5']],
  ['a private address among public ones', ['93.184.215.14', '192.168.0.1']],
  ['a mapped one', ['::ffff:127.0.0.1']],
  ['this machine', ['127.0.0.1']],
  ['nonsense', ['not-an-address']],
])('a name that leads to %s is refused', async (_name, addresses) => {
  const { port, seen } = await serve((_request, response) => response.end())
  const http = client({ allowLoopback: true, resolve: async () => addresses })
  await expect(get(http, `https://hooks.example.com:${port}/`)).rejects.toMatchObject({ reason: 'address_refused' })
  await expect(get(http, `https://hooks.example.com:${port}/`)).rejects.toThrow(OutboundError)
  expect(seen()).toBe(0)
})

test('a name is resolved once, and the connection goes there', async () => {
  const { port, seen } = await serve((_request, response) => response.end('pong'))
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']
  }
  const answer = await get(client({ allowLoopback: true, resolve }), `http://localhost:${port}/`)
  expect([answer.status, answer.body.toString(), asked, seen()]).toEqual([200, 'pong', 1, 1])
})

test('this machine is called by the development switch alone', async () => {
  const { port, seen } = await serve((_request, response) => response.end())
  await expect(get(client(), `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'address_refused' })
  expect(seen()).toBe(0)
  expect((await get(client({ allowLoopback: true }), `http://127.0.0.1:${port}/`)).status).toBe(200)
})

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

test('a name without an address, and a port where nobody listens, are unreachable', async () => {
  const failing = client({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(get(failing, 'https://nobody.example/')).rejects.toMatchObject({ reason: 'unreachable' })
  await expect(get(client({ resolve: async () => [] }), 'https://x.example/')).rejects.toMatchObject({
    reason: 'unreachable',
  })
  await expect(get(client({ allowLoopback: true }), 'http://127.0.0.1:1/')).rejects.toMatchObject({
    reason: 'unreachable',
  })
})

const cut = (http: OutboundHttp, url: string) => http.send({ url, method: 'POST', body: '{}', answer: 'cut' })

test.each([
  ['of ten megabytes', (response: ServerResponse) => void response.end('x'.repeat(10_000_000))],
  [
    'that does not end',
    (response: ServerResponse) => {
      response.writeHead(200)
      const flood = setInterval(() => response.write('x'.repeat(500)), 1)
      response.on('close', () => clearInterval(flood))
    },
  ],
  ['that trickles', (response: ServerResponse) => void response.writeHead(200).write('x'.repeat(10))],
  ['that breaks off', (response: ServerResponse) => void response.write('x', () => response.destroy())],
])('of an answer %s its status counts, and its beginning is kept', async (_name, answerWith) => {
  const { port } = await serve((_request, response) => answerWith(response))
  const http = client({ allowLoopback: true, maxAnswerBytes: 1000, timeoutMs: 500 })
  const { status, body } = await cut(http, `http://127.0.0.1:${port}/`)
  expect(status).toBe(200)
  expect(body.length).toBeLessThanOrEqual(1000)
  expect(body.toString()).toMatch(/^x+$/)
})

test('an address is checked as it would be called, without a connection', async () => {
  const { port, seen } = await serve((_request, response) => response.end())
  const http = client({
    resolve: async (name) => [name === 'good.example' ? '93.184.215.14' : '10.0.0.8'],
    minPort: 1024,
  })
  await http.check('https://good.example/hook')
  await http.check('https://good.example:8443/hook')
  for (const url of [
    `https://bad.example:${port}/`,
    `https://127.0.0.1:${port}/`,
    'https://u@good.example/',
    'https://good.example:22/',
    'http://good.example/',
  ])
    await expect(http.check(url)).rejects.toMatchObject({ reason: 'address_refused' })
  expect(seen()).toBe(0)
})

test.each(['https://app.parley.example/', 'https://APP.parley.example./x'])(
  '%s is ours and is refused',
  async (url) => {
    const http = client({ resolve: async () => ['93.184.215.14'], ownHosts: ['app.parley.example'] })
    await expect(http.check(url)).rejects.toMatchObject({ reason: 'address_refused' })
    await expect(get(http, url)).rejects.toMatchObject({ reason: 'address_refused' })
  },
)

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
  closing.push(() => new Promise((resolve) => server.close(resolve)))
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

/** A certificate that its own key has signed. @param days for which it is valid from now on; negative: it has expired. */
function certificate(name: string, days: number): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  closing.push(() => rmSync(folder, { recursive: true }))
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
  closing.push(() => setDefaultCACertificates(before))
}

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
