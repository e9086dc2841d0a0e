import { createLogger } from '@parley/service-kit/core/logger'
import { Secret } from '@parley/service-kit/core/secret-box'
import { afterAll, expect, test, vi } from 'vitest'
import { createGraphClient } from '../../../whatsapp/graph-client.ts'
import type { SendOutcome } from '../../../whatsapp/send-call.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { createSenderService } from './sender.service.ts'

const at = new Date('2026-01-01T00:00:00Z')
const message = (id: string, numberId: string): MessageRecord => ({
  id,
  workspaceId: 'w',
  conversationId: id,
  numberId,
  contactId: id,
  direction: 'outbound',
  content: { type: 'text', text: 'Hi' },
  statusAt: {},
  cause: { kind: 'member', id: 'm' },
  dispatch: { state: 'queued', priority: 0, notBefore: at, attempts: 0 },
  sentAt: at,
  version: 1,
  createdAt: at,
  updatedAt: at,
})

/** Messages in this lane are people's own. */
const lanes = { replies: 2 }

const graph = createGraphClient('http://127.0.0.1:9')
afterAll(() => graph.close())

/** Creates a sender of lanes with these numbers of messages, whose calls are answered when the test says so. */
function senderOf(waiting: readonly number[]) {
  const queued = new Map(
    waiting.map((count, lane) => [lane, Array.from({ length: count }, (_, n) => message(`${lane}-${n}`, `${lane}`))]),
  )
  const answers: ((outcome: SendOutcome) => void)[] = []
  const wake = vi.fn<(lane: number) => void>()
  const forgetFiles = vi.fn(async (_scope: object, _message: MessageRecord) => [])
  const sender = createSenderService({
    awaitFiles: async (_scope, due) => ({ free: due, ended: [], isMore: false, waits: false }),
    outbox: {
      numbersIn: async (lane) => [{ workspaceId: 'w', numberId: `${lane}` }],
      due: async (lane, _number, _now, room) =>
        queued.get(lane)?.slice(0, lane === lanes.replies ? room.replies : room.others) ?? [],
      claim: async (_scope, wanted) => {
        for (const [lane, messages] of queued) {
          const left = messages.filter(({ id }) => !wanted.some((message) => message.id === id))
          queued.set(lane, left)
        }
        return [...wanted]
      },
      defer: async () => 0,
      lost: async () => [],
      unconfirmed: async () => [],
      scheduledUntil: async () => [],
    },
    targets: {
      inHand: () => 0,
      forgetFiles,
      of: async () => ({
        stopped: false,
        perSecond: 1000,
        portfolio: undefined,
        targetOf: () => ({
          graph,
          phoneNumberId: '1',
          accessToken: new Secret('token'),
          recipient: { phone: '+919812340000', userId: undefined },
          replyTo: undefined,
          hasFile: true,
          content: { type: 'text', text: 'Hi' },
          failure: undefined,
          phone: undefined,
        }),
      }),
    },
    gate: async (_scope, _numberId, claimed) =>
      claimed.map((candidate) => ({
        kind: 'allow',
        candidate,
        send: () => new Promise((resolve) => answers.push(resolve)),
      })),
    withinLimits: async (_number, ready) => ({ allowed: [...ready], reserved: new Set(), heldBack: 0 }),
    settling: {
      handle: async () => 0,
      settleAll: async () => undefined,
      settleLost: async () => undefined,
      finishLeft: async () => undefined,
      reportUnconfirmed: async () => undefined,
    },
    outgoing: { releaseScheduled: async () => undefined },
    wakeSender: wake,
    logger: createLogger({ name: 'test', level: 'silent' }),
  })
  const accepted: SendOutcome = { kind: 'accepted', waMessageId: 'wamid', held: false }
  const answer = (count: number, outcome: SendOutcome = accepted) => {
    for (const resolve of answers.splice(0, count)) resolve(outcome)
  }
  return { sender, answer, wake, forgetFiles, calls: () => answers.length }
}

test('lanes that find no room are woken once there is; replies have some for themselves', async () => {
  const { sender, answer, wake, calls } = senderOf([400, 10, 5])
  while (calls() < 256 && (await sender.drain(0))) {
    // Sends until there is no room left.
  }
  expect(calls()).toBe(256)
  expect(await sender.drain(1)).toBe(false)
  expect(calls()).toBe(256)
  await sender.drain(lanes.replies)
  expect(calls()).toBe(261)
  answer(40)
  await vi.waitFor(() => expect(wake).toHaveBeenCalledWith(0))
  expect(wake).not.toHaveBeenCalledWith(1)
  answer(40)
  await vi.waitFor(() => expect(wake).toHaveBeenCalledWith(1))
  await sender.drain(1)
  expect(calls()).toBe(191)
})

test('a file for which a message may have been refused is uploaded anew; any other stays as it is', async () => {
  const { sender, answer, wake, forgetFiles } = senderOf([3])
  await sender.drain(0)
  answer(1, { kind: 'refused', refusal: { code: 131_009, message: 'Parameter value is not valid' } })
  answer(1, { kind: 'refused', refusal: { code: 131_047, message: 'Re-engagement message' } })
  answer(1)
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(3))
  expect(forgetFiles.mock.calls.map(([, { id }]) => id)).toEqual(['0-0'])
})
