import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { client, get, serve } from '../testing/outbound-server.ts'
import { OutboundError } from './outbound-error.ts'
import type { OutboundHttp } from './outbound-http.ts'

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
