import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createGraphClient } from '../../../whatsapp/graph-client.ts'
import { createMediaFetching } from './fetch-media.ts'
import type { MessageRecord } from './messages.service.ts'

const arrivedAt = new Date('2026-05-04T10:00:00Z')
const hourMs = 3600_000
const dayMs = 24 * hourMs
const tokenExpired = { code: 190, message: 'Error validating access token' }
const tooManyCalls = { code: 80007, message: 'Rate limit issues' }
const unknownObject = { code: 100, error_subcode: 33, message: 'Unsupported get request' }

/** Error that WhatsApp answers for the file and for the number; absent: it answers. */
let refusals: { file?: object; number?: object; bytes?: object } = {}
let graph: ReturnType<typeof createGraphClient>
const server = createServer(({ url = '' }, response) => {
  const asked = url.includes('/file-1') ? 'file' : url.includes('/bytes') ? 'bytes' : 'number'
  const error = refusals[asked]
  response.writeHead(error ? 400 : 200, { 'content-type': 'application/json' })
  const found = {
    url: `http://127.0.0.1:${portOf()}/bytes`,
    mime_type: 'image/png',
    file_size: 3,
  }
  response.end(JSON.stringify(error ? { error } : asked === 'file' ? found : { id: '1' }))
})
const portOf = () => (server.address() as AddressInfo).port
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  graph = createGraphClient(`http://127.0.0.1:${portOf()}`)
})
afterAll(async () => {
  await graph.close()
  server.close()
})

let message: MessageRecord
let now: Date
const stop = vi.fn(async () => undefined)
const save = vi.fn(async () => ({ id: 'stored', type: 'image/png', sizeBytes: 3, sha256: '' }))
beforeEach(() => {
  vi.clearAllMocks()
  refusals = {}
  now = arrivedAt
  message = {
    id: 'm',
    workspaceId: 'w',
    conversationId: 'v',
    numberId: 'n',
    contactId: 'c',
    direction: 'inbound',
    content: { type: 'image', waMediaId: 'file-1' },
    statusAt: {},
    cause: { kind: 'customer', id: 'c' },
    mediaFetch: { state: 'due', tries: 0 },
    sentAt: arrivedAt,
    version: 1,
    createdAt: arrivedAt,
    updatedAt: arrivedAt,
  }
})

const fetching = () =>
  createMediaFetching({
    messageRecords: { read: async () => message, mediaDue: async () => [] },
    messages: {
      change: async (_scope, [change]) => {
        const { mediaFetch, ...rest } = { ...message, ...change?.set }
        message = { ...rest, ...(!change?.unset?.includes('mediaFetch') && { mediaFetch }) }
      },
    },
    media: { save },
    numbers: {
      access: async () => ({ graph, phoneNumberId: '1', businessAccountId: '2', accessToken: 'token' }),
      stop,
    },
    transaction: async (work) => work({ session: {} as never, emit: () => undefined, send: () => undefined }),
    now: () => now,
  })

/** Tries as often as the pauses allow, until some time has passed. */
async function tryFor(ms: number): Promise<number> {
  const { fetchFor } = fetching()
  const until = now.getTime() + ms
  let tried = 0
  for (; message.mediaFetch && now.getTime() <= until; tried += 1) {
    await fetchFor({ id: 'm', workspaceId: 'w' }).catch(() => undefined)
    now = new Date(Math.max(now.getTime() + 1000, message.mediaFetch?.notBefore?.getTime() ?? 0))
  }
  return tried
}

test.each([
  ['the access token is refused', { file: tokenExpired }],
  ['WhatsApp limits the calls of the account', { file: tooManyCalls }],
  ['WhatsApp is away', { file: { code: 2, message: 'Service temporarily unavailable' } }],
  ['its file server has a fault', { bytes: {} }],
  ['the token may no longer use the number', { file: unknownObject, number: unknownObject }],
])('a file is fetched once it can be, hours later even: %s', async (_what, away) => {
  refusals = away
  const tried = await tryFor(3 * hourMs)
  expect(message.content['state']).toBeUndefined()
  // Pauses of seconds at first, then of minutes.
  expect(tried).toBeGreaterThan(3 * 10)
  expect(tried).toBeLessThan(3 * 20)
  refusals = {}
  await tryFor(hourMs)
  expect(message).toMatchObject({ content: { mediaId: 'stored', sizeBytes: 3 } })
  expect(message.mediaFetch).toBeUndefined()
})

test('a storage of our own that is away is no fault of the file either', async () => {
  save.mockRejectedValueOnce(new Error('storage is away'))
  await expect(fetching().fetchFor({ id: 'm', workspaceId: 'w' })).rejects.toThrow('storage is away')
  await tryFor(dayMs)
  expect(message.content).toMatchObject({ mediaId: 'stored' })
})

test('a file is given up a week after its message came: WhatsApp keeps it no longer', async () => {
  refusals = { file: tokenExpired }
  now = new Date(arrivedAt.getTime() + 7 * dayMs - hourMs)
  await tryFor(hourMs / 2)
  expect(message.content['state']).toBeUndefined()
  await tryFor(hourMs)
  expect(message.content).toMatchObject({ state: 'expired' })
})

test('a file that WhatsApp does not know is lost at once; what it refuses otherwise, after a few tries', async () => {
  refusals = { file: unknownObject }
  expect(await tryFor(dayMs)).toBe(1)
  expect(message.content).toMatchObject({ state: 'expired' })
  message = { ...message, content: { type: 'image', waMediaId: 'file-1' }, mediaFetch: { state: 'due', tries: 0 } }
  refusals = { file: { code: 131_009, message: 'Parameter value is not valid' } }
  expect(await tryFor(dayMs)).toBe(7)
  expect(message.content).toMatchObject({ state: 'failed' })
})

test('people are told of a token that is refused, and nothing is asked before its time', async () => {
  refusals = { file: tokenExpired }
  const { fetchFor } = fetching()
  await fetchFor({ id: 'm', workspaceId: 'w' })
  await fetchFor({ id: 'm', workspaceId: 'w' })
  expect(stop).toHaveBeenCalledExactlyOnceWith({ workspaceId: 'w' }, 'n', 190, tokenExpired.message)
})
