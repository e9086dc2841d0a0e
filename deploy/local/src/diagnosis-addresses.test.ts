import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@parley/service-kit/testing/free-port'
import { expect, onTestFinished, test } from 'vitest'
import { checkAddresses } from './diagnosis-addresses.ts'

async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const both = (origin: string) => ({ HOOKS_PUBLIC_URL: origin, LINKS_PUBLIC_URL: origin })

test('an installation without public addresses says what does not reach it', async () => {
  expect(await checkAddresses({})).toEqual([
    expect.objectContaining({ verdict: 'note', subject: 'Hook address', finding: expect.stringContaining('WhatsApp') }),
    expect.objectContaining({ verdict: 'note', subject: 'Link address', finding: expect.stringContaining('links') }),
  ])
})

test('another server at a public address is told from ingest', async () => {
  const origin = await serverOf((_request, response) => void response.writeHead(200).end('<title>Router</title>'))
  for (const { verdict, finding, remedy } of await checkAddresses(both(origin))) {
    expect(verdict).toBe('problem')
    expect(finding).toMatch(
      /^127\.0\.0\.1:\d+ from (HOOKS|LINKS)_PUBLIC_URL answers 200, which is not Parley's ingest$/,
    )
    expect(remedy).toContain('port of ingest')
  }
})

test('a redirect is not followed, as WhatsApp follows none', async () => {
  const origin = await serverOf((_request, response) => void response.writeHead(308, { location: '/x' }).end())
  const [hooks] = await checkAddresses(both(origin))
  expect(hooks?.finding).toContain('answers 308')
})

test('ingest without https is not enough for WhatsApp', async () => {
  const origin = await serverOf(({ url }, response) => {
    if (url?.startsWith('/hooks/whatsapp/')) response.writeHead(403).end()
    else response.writeHead(404).end('<p>There is no such link. It may have been cut off when it was copied.</p>')
  })
  const checks = await checkAddresses(both(origin))
  expect(checks.map(({ finding }) => finding)).toEqual([
    expect.stringContaining('is not https'),
    expect.stringContaining('is not https'),
  ])
})

test('an address that is not there, or is silent, is named with the reason', async () => {
  const silent = await serverOf(() => undefined)
  const nobody = `127.0.0.1:${await freePort()}`
  const checks = await checkAddresses({ HOOKS_PUBLIC_URL: `https://${nobody}`, LINKS_PUBLIC_URL: silent }, 200)
  expect(checks.map(({ finding }) => finding)).toEqual([
    `${nobody} from HOOKS_PUBLIC_URL cannot be reached (ECONNREFUSED)`,
    expect.stringContaining('no answer within 0.2 s'),
  ])
})
