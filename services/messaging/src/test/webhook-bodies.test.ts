import { sendThenRead } from '@parley/service-kit/testing/send-then-read'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, postSigned } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const limitBytes = 4 * 1024 * 1024
const events = (filter: object) =>
  parley.database.connection
    .collection('rawEvents')
    .find({ ...parley.inWorkspace, ...filter })
    .toArray()
/** Returns a webhook with this JSON as an unknown field. */
const webhook = (id: string, unknown: string) => {
  const message = { id, from: '919812345678', timestamp: '1767225600', type: 'text', text: { body: 'Hi' } }
  const value = { ...headOf(parley), messages: [{ ...message, unknown: '?' }] }
  const body = JSON.stringify({
    entry: [{ id: parley.simulatedNumber.accountId, changes: [{ field: 'messages', value }] }],
  })
  return body.replace('"?"', () => unknown)
}
/** Spaces between fields are no part of any value. */
const ofSize = (id: string, sizeBytes: number) => {
  const body = webhook(id, '1')
  return `${body.slice(0, -1)}${' '.repeat(sizeBytes - body.length)}}`
}

test('a body that is nested too deeply to be split is kept whole, and shown to operators', async () => {
  const levels = (limitBytes - 1000) / 2
  const inMessage = webhook('wamid.deep', `${'['.repeat(levels)}${']'.repeat(levels)}`)
  const entry = `{"entry":[{"changes":[{"field":"flows","value":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}]}]}`
  const bodies = [inMessage, entry, '['.repeat(limitBytes)]
  for (const body of bodies) expect((await postSigned(parley, body)).status).toBe(200)
  await eventually(async () => expect(await events({ deadAt: { $exists: true } })).toHaveLength(bodies.length))
  const kept = await events({ field: 'unreadable' })
  expect(kept.map(({ payload }) => Buffer.from(JSON.parse(payload).base64, 'base64').toString())).toEqual(bodies)
  const command = kept.map(({ error }) => error)
  expect(command).toEqual(bodies.map(() => 'the body is no webhook that can be split'))
})

test('only what is signed with the secret of the workspace is stored', async () => {
  const body = webhook('wamid.forged', '1')
  const { url } = await parley.services.endpoints.callback(parley.scope)
  const post = async (to: string, signature?: string) => {
    const headers = signature === undefined ? {} : { 'x-hub-signature-256': signature }
    return (await fetch(to, { method: 'POST', headers, body })).status
  }
  const zeros = '0'.repeat(64)
  const signatures = [undefined, '', `sha256=${zeros}`, `sha1=${zeros.slice(24)}`, zeros]
  expect(await Promise.all(signatures.map((signature) => post(url, signature)))).toEqual(signatures.map(() => 401))
  expect((await postSigned(parley, body, { with: 'another secret' })).status).toBe(401)
  expect((await postSigned(parley, body, { of: `${body} ` })).status).toBe(401)
  expect(await post(url.replace(/[0-9a-f]{32}$/, '0'.repeat(32)))).toBe(401)
  expect(await events({ waMessageId: 'wamid.forged' })).toEqual([])
  expect((await postSigned(parley, body)).status).toBe(200)
  await eventually(async () =>
    expect(await events({ waMessageId: 'wamid.forged', lane: { $exists: false } })).toHaveLength(1),
  )
})

test('what a clock tells that is an hour off is kept as told: order and window go by WhatsApp’s time', async () => {
  const now = Math.floor(Date.now() / 1000)
  const from = '919812345999'
  const value = (id: string, at: number) => {
    const message = { id, from, timestamp: String(at), type: 'text', text: { body: id } }
    return { field: 'messages', value: { ...headOf(parley), messages: [message] } }
  }
  const changes = [value('wamid.ahead', now + 3600), value('wamid.now', now), value('wamid.behind', now - 3600)]
  const status = { id: 'wamid.ours', status: 'sent', timestamp: String(now + 3600), recipient_id: from }
  const statuses = { field: 'messages', value: { ...headOf(parley), statuses: [status] } }
  const entry = [{ id: parley.simulatedNumber.accountId, time: now + 3600, changes: [...changes, statuses] }]
  expect((await postSigned(parley, JSON.stringify({ entry }))).status).toBe(200)
  const conversation = await eventually(async () => {
    const { items } = await parley.signIn().ask('GET', `/api/conversations?q=${from}`)
    expect(items[0]?.history.messages).toBe(3)
    return items[0]
  })
  const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
  expect(conversation).toMatchObject({
    unreadCount: 3,
    lastMessage: { text: 'wamid.ahead', at: timeOf(now + 3600) },
    windowExpiresAt: timeOf(now + 3600 + 24 * 3600),
  })
  const { items } = await parley.signIn().ask('GET', `/api/conversations/${conversation.id}/messages`)
  expect(items.map(({ content }: { content: { text: string } }) => content.text)).toEqual([
    ...['wamid.behind', 'wamid.now', 'wamid.ahead'],
  ])
  const dead = await events({ deadAt: { $exists: true }, waMessageId: { $exists: true } })
  expect(dead).toEqual([])
})

test('a body of 4 MB is taken, one byte more is refused in words', async () => {
  expect((await postSigned(parley, ofSize('wamid.full', limitBytes))).status).toBe(200)
  await eventually(async () =>
    expect(await events({ waMessageId: 'wamid.full', lane: { $exists: false } })).toHaveLength(1),
  )
  const larger = ofSize('wamid.larger', limitBytes + 1)
  const refused = { code: 'body_too_large', message: 'The request is larger than 4096 KiB.' }
  expect(await postSigned(parley, larger)).toMatchObject({ status: 413, body: refused })
  // The same body without a declared length.
  expect(await postSigned(parley, new Blob([larger]).stream(), { of: larger })).toMatchObject({
    status: 413,
    body: refused,
  })
  expect(await events({ waMessageId: 'wamid.larger' })).toEqual([])
})

test.each([
  ['ingest refuses its size', 'ingest', 413, async () => [`POST ${await callbackPath()}`, signature]],
  ['ingest finds no signature', 'ingest', 401, async () => [`POST ${await callbackPath()}`]],
  ['ingest knows no such address', 'ingest', 413, async () => ['POST /hooks/nothing']],
  ['the server refuses its size', 'server', 413, async () => ['POST /api/contacts', await bearer()]],
  ['the server knows no caller', 'server', 401, async () => ['POST /api/contacts']],
] as const)(
  'a client that sends 6 MB and reads afterwards is answered where %s',
  async (_what, process, status, ask) => {
    const [call = '', ...headers] = await ask()
    const head = [`${call} HTTP/1.1`, 'Content-Type: application/json', ...headers]
    const line = await sendThenRead(Number(new URL(parley[process].url).port), head, 6 * 1024 * 1024)
    expect(line).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  },
)
const signature = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`
const callbackPath = async () => new URL((await parley.services.endpoints.callback(parley.scope)).url).pathname
const bearer = async () => `Authorization: Bearer ${await parley.signIn().token()}`
