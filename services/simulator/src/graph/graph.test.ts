import type { AddressInfo } from 'node:net'
import { sendThenRead } from '@parley/service-kit/testing/send-then-read'
import { describe, expect, test } from 'vitest'
import { customer, settled, start } from '../testing/start-simulator.ts'

test('every answer about an account says how much of its calls is used, and more than allowed are refused', async () => {
  const { graph, send, sim, simulatedNumber } = await start()
  await sim('/limits', { managementPerHour: 4 })
  await graph('GET', simulatedNumber.phoneNumberId)
  const { headers } = await send(customer)
  const usage = JSON.parse(String(headers['x-business-use-case-usage']))
  expect(usage).toEqual({
    [simulatedNumber.accountId]: [expect.objectContaining({ call_count: 25, estimated_time_to_regain_access: 0 })],
  })
  for (let call = 0; call < 3; call++) await graph('GET', simulatedNumber.accountId)
  const { status, body } = await graph('GET', `${simulatedNumber.accountId}/message_templates`)
  expect([status, body.error.code]).toEqual([429, 80007])
})

test('a number is added, proven by its code and registered', async () => {
  const { graph, simulatedNumber, simulator } = await start()
  const added = await graph('POST', `${simulatedNumber.accountId}/phone_numbers`, {
    cc: '49',
    phone_number: '151 2345678',
    verified_name: 'Branch',
  })
  const { id } = added.body
  const described = async () => (await graph('GET', id)).body
  expect(await described()).toMatchObject({
    display_phone_number: '+491512345678',
    code_verification_status: 'NOT_VERIFIED',
  })
  const register = () => graph('POST', `${id}/register`, { messaging_product: 'whatsapp', pin: '123456' })
  expect((await register()).body.error.code).toBe(133006)
  await graph('POST', `${id}/request_code`, { code_method: 'SMS', language: 'en_US' })
  expect((await graph('POST', `${id}/verify_code`, { code: 'no' })).body.error.code).toBe(136025)
  const code = simulator.world.numbers.get(id)?.code
  expect((await graph('POST', `${id}/verify_code`, { code })).body).toEqual({ success: true })
  expect((await graph('POST', `${id}/request_code`, { code_method: 'SMS', language: 'en_US' })).body.error.code).toBe(
    136024,
  )
  expect((await register()).body).toEqual({ success: true })
  expect(await described()).toMatchObject({ status: 'CONNECTED', code_verification_status: 'VERIFIED' })
})

test('the code of a sign-up is good once and for half a minute, for the app that it was made for', async () => {
  const { graph, sim, simulatedNumber, simulator } = await start()
  const codeOf = async () => (await sim('/oauth/code', { account_id: simulatedNumber.accountId })).body.code
  const exchange = (code: string, secret = simulatedNumber.appSecret) =>
    graph('GET', `oauth/access_token?client_id=${simulatedNumber.appId}&client_secret=${secret}&code=${code}`)
  const code = await codeOf()
  expect((await exchange(code, 'wrong')).status).toBe(400)
  const { body } = await exchange(code)
  expect((await graph('GET', simulatedNumber.phoneNumberId, undefined, body.access_token)).status).toBe(200)
  expect((await exchange(code)).body.error.code).toBe(100)
  const late = await codeOf()
  simulator.advance(31_000)
  expect((await exchange(late)).body.error.code).toBe(100)
  const app = await graph(
    'GET',
    `oauth/access_token?client_id=${simulatedNumber.appId}&client_secret=${simulatedNumber.appSecret}&grant_type=client_credentials`,
  )
  const asked = await graph(
    'GET',
    `debug_token?input_token=${simulatedNumber.accessToken}`,
    undefined,
    app.body.access_token,
  )
  expect(asked.body.data).toMatchObject({ is_valid: true, app_id: simulatedNumber.appId })
})

test('a paused template is taken up again on request', async () => {
  const { graph, sim, simulatedNumber, simulator, receiver } = await start()
  const { body } = await graph('POST', `${simulatedNumber.accountId}/message_templates`, {
    name: 'greeting',
    language: 'en',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hello there' }],
  })
  expect((await graph('POST', `${body.id}/unpause`, {})).body.error.code).toBe(100)
  await sim(`/template/${body.id}/pause`, {})
  expect((await graph('POST', `${body.id}/unpause`, {})).body).toEqual({ success: true })
  expect(simulator.world.templates.get(body.id)?.status).toBe('APPROVED')
  await settled(() => expect(receiver.changes().at(-1)?.value).toMatchObject({ event: 'REINSTATED' }))
})

describe('parts of a file', () => {
  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('%s', async (range, status, text, contentRange) => {
    const { app, graph, simulatedNumber, simulator } = await start()
    const file = { bytes: Buffer.from('0123456789'), type: 'text/plain', name: null }
    const { id } = simulator.media.keep(simulatedNumber.phoneNumberId, file, 'business')
    const url = new URL((await graph('GET', id)).body.url)
    const headers = { authorization: `Bearer ${simulatedNumber.accessToken}`, range }
    const answer = await app.inject({ url: `${url.pathname}${url.search}`, headers })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([status, text, contentRange])
  })
})

test.each([
  ['a body above the limit', 413, true],
  ['no token', 401, false],
])('who is refused early (%s) is heard after sending on', async (_what, status, bearsToken) => {
  const { app, simulatedNumber } = await start()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const token = bearsToken ? simulatedNumber.accessToken : 'unknown'
  const head = [
    `POST /v26.0/${simulatedNumber.phoneNumberId}/${bearsToken ? 'messages' : 'media'} HTTP/1.1`,
    `Authorization: Bearer ${token}`,
    `Content-Type: ${bearsToken ? 'application/json' : 'multipart/form-data; boundary=x'}`,
  ]
  expect(await sendThenRead((app.server.address() as AddressInfo).port, head, 5 * 1024 * 1024)).toMatch(
    new RegExp(`^HTTP/1.1 ${status} `),
  )
})
