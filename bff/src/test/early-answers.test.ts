import type { AddressInfo } from 'node:net'
import { sendThenRead } from '@parley/service-kit/testing/send-then-read'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listen, stopListening } from '../listen.ts'
import { buildManagementApp } from '../management.ts'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

const fiveMegabytes = 5 * 1024 * 1024
let bff: Bff
let headers: string[]
beforeAll(async () => {
  bff = await startBff()
  const browser = bff.browser()
  await browser.signUp(newAddress(), 'correct horse')
  const { authorization } = await browser.bearer()
  const sameOriginHeaders = ['Sec-Fetch-Site: same-origin', 'X-CSRF: 1', 'Content-Type: application/json']
  headers = [...sameOriginHeaders, `Authorization: ${authorization}`, `Cookie: ${browser.cookie()}`]
})
afterAll(() => bff.stop())

test.each([
  ['the service refuses it', 'PATCH /api/auth/profile', 413],
  ['the BFF refuses it', 'POST /auth/sign-up', 413],
  ['nobody is there to read it', 'POST /api/nothing', 404],
  ['the method is wrong', 'PUT /api/auth/user', 405],
])('a client that sends 5 MB and reads afterwards is answered where %s', async (_what, call, status) => {
  const line = await sendThenRead(Number(new URL(bff.url).port), [`${call} HTTP/1.1`, ...headers], fiveMegabytes)
  expect(line).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('without a session too', async () => {
  const withoutCookie = headers.filter((header) => !header.startsWith('Cookie'))
  const port = Number(new URL(bff.url).port)
  const line = await sendThenRead(port, ['PATCH /api/auth/profile HTTP/1.1', ...withoutCookie], fiveMegabytes)
  expect(line).toMatch(/^HTTP\/1\.1 401 /)
})

test('on the management port too', async () => {
  const app = buildManagementApp({ metrics: bff.dependencies.metrics, publicKeys: {} })
  const server = await listen(app, '127.0.0.1', 0)
  onTestFinished(() => stopListening(server, 0))
  const { port } = server.address() as AddressInfo
  expect(await sendThenRead(port, ['POST /metrics HTTP/1.1'], fiveMegabytes)).toMatch(/^HTTP\/1\.1 404 /)
})
