import { errors } from '@parley/service-kit/core/errors'
import { Secret } from '@parley/service-kit/core/secret-box'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'
import { GraphCallFailed } from '../../../whatsapp/graph-answer.ts'
import { createGraphClient } from '../../../whatsapp/graph-client.ts'
import { unknownFacts } from '../../channel/numbers/number-facts.ts'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import { newContactFields, searchKeys } from '../../contacts/contact-fields.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { createSendTargets } from './send-targets.ts'

const at = new Date('2026-05-04T10:00:00Z')
const stored = { workspaceId: 'w', version: 1, createdAt: at, updatedAt: at }
const number: NumberRecord = {
  ...{ ...stored, ...unknownFacts, id: 'n', displayName: 'Shop', phoneNumber: '+919812340000', phoneNumberId: '1' },
  ...{ businessAccountId: '2', graphUrl: 'http://127.0.0.1:9', simulated: false, status: 'active', accessToken: '' },
  ...{ tokenLast4: '', tokenSetAt: at, isDefault: true, checks: [] },
}
const message: MessageRecord = {
  ...{ ...stored, id: 'm', conversationId: 'v', numberId: 'n', contactId: 'c', direction: 'outbound', statusAt: {} },
  content: { type: 'image', mediaId: 'f' },
  cause: { kind: 'member', id: 'a' },
  sentAt: at,
}
const named = { name: 'Asha', phone: '+919812340001', tags: [] }
const contact = { ...newContactFields('manual'), ...stored, id: 'c', ...named, ...searchKeys(named), attributes: [] }
const graph = createGraphClient('http://127.0.0.1:9')
afterAll(() => graph.close())
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Looks at a message with a file whose upload fails, every second. */
function uploadsOf(fails: () => Error) {
  const upload = vi.fn(async () => Promise.reject(fails()))
  const stop = vi.fn(async () => undefined)
  const targets = createSendTargets({
    numbers: { readToSend: async () => number, stop, tokenOf: () => new Secret('token') },
    graphs: { of: () => graph },
    contacts: { shown: async () => new Map([['c', contact]]) },
    messageRecords: { readMany: async () => [] },
    outboundMedia: { known: async () => new Map(), upload, forget: async () => ({ deletedCount: 1 }) },
    linkTokens: { of: () => 'token' },
    wakeSender: () => undefined,
  })
  const failure = async () => {
    const found = await targets.of({ workspaceId: 'w' }, 'n', [message])
    return found?.targetOf(message)?.failure
  }
  /** @returns the failure once there is one, within some minutes. */
  async function lookFor(minutes: number) {
    for (let second = 0; second < minutes * 60; second += 1) {
      const found = await failure()
      if (found) return found
      await vi.advanceTimersByTimeAsync(1000)
    }
    return undefined
  }
  return { lookFor, upload, stop }
}
const refused = (code: number) => new GraphCallFailed('refused', { code, message: 'refused' })

test.each([
  ['does not take for the third time', 131_053, 3, 131_053],
  ['could not send for the third time', 131_014, 3, 131_014],
  ['has a fault with, six times', 131_000, 6, 131_000],
  ['refuses', 100, 1, 131_053],
  ['limits, more often than it may', 80_007, 21, 80_007],
  ['refuses with a code that stops nothing but marketing', 131_048, 1, 131_048],
])('a file that WhatsApp %s fails its message', async (_what, code, uploads, shown) => {
  const { lookFor, upload } = uploadsOf(() => refused(code))
  expect(await lookFor(150)).toEqual({ code: shown, message: 'refused' })
  expect(upload).toHaveBeenCalledTimes(uploads)
})

test('a file that is kept no longer fails its message, and is looked for again when it is sent again', async () => {
  const { lookFor, upload } = uploadsOf(() => errors.notFound('file'))
  expect(await lookFor(1)).toMatchObject({ code: fileFaultCodes.gone })
  await vi.advanceTimersByTimeAsync(30_000)
  await lookFor(1)
  expect(upload).toHaveBeenCalledTimes(2)
})

test('a file waits while WhatsApp cannot be reached, and is uploaded less and less often', async () => {
  const { lookFor, upload } = uploadsOf(() => new GraphCallFailed('WhatsApp cannot be reached right now.'))
  expect(await lookFor(120)).toBeUndefined()
  expect(upload.mock.calls.length).toBeGreaterThan(20)
  expect(upload.mock.calls.length).toBeLessThan(45)
})

test('a file waits for its number', async () => {
  const { lookFor, stop } = uploadsOf(() => refused(190))
  expect(await lookFor(5)).toBeUndefined()
  expect(stop).toHaveBeenCalledWith({ workspaceId: 'w' }, 'n', 190, 'refused')
})
