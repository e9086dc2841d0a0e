import type { Template } from '@parley/contracts/templates/templates'
import { expect, test, vi } from 'vitest'
import { classifyError, stoppedBy } from '../../../whatsapp/error-classes.ts'
import { fileErrors } from '../../../whatsapp/file-errors.ts'
import { knownErrors } from '../../../whatsapp/known-errors.ts'
import { failuresIn, inARow, refusedIn } from '../../campaigns/run/auto-pause.ts'
import { stopsIn } from '../../inbound/inbound-text.ts'
import { createResolveContacts } from '../../inbound/resolve-contacts.ts'
import type { MessageChange, MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import { createSettling } from './settling.ts'

/** Sender's reaction to an answer, for a campaign's message and for a member's. */
type Answered = 'failed' | 'held' | 'retried' | 'slowed' | 'stopped'
/** Consequence of a `failed` status, beyond that message. */
type Followed = 'nothing' | 'stop' | 'opt-out' | 'template' | 'in a row' | 'unreachable' | 'failures'

/** Every known code, and 200 for its range: class, effect on a campaign's message, effect of a status. */
const table: readonly [codes: readonly number[], string, Answered, Followed][] = [
  [[1, 2, 131000, 131016, 133004, 135000, 131053, 131057, 132069], 'retry', 'retried', 'failures'],
  [[131014, 131059, 2494100], 'retry', 'retried', 'failures'],
  [[4, 613, 80007, 80008, 130429], 'slow_number', 'slowed', 'failures'],
  [[131056], 'slow_contact', 'retried', 'nothing'],
  [[131049], 'wait_24h', 'failed', 'nothing'],
  [[131055, 2388019, 2388024, 2388039, 2388040, 2388047, 2388072, 2388073], 'fix_template', 'held', 'template'],
  [[2388293, 2388299], 'fix_template', 'held', 'template'],
  [[132000, 132001, 132007, 132008, 132015, 132016, 132068], 'fix_template', 'held', 'template'],
  [[131062, 132005, 132012, 132018], 'bad_value', 'failed', 'in a row'],
  [[0, 3, 10, 33, 190, 200, 368, 131005, 131031, 131037, 131042, 131044, 131045], 'stop_number', 'stopped', 'stop'],
  [[131048, 131063, 131064, 133005, 133006, 133008, 133009], 'stop_number', 'stopped', 'stop'],
  [[133010, 133015, 133016], 'stop_number', 'stopped', 'stop'],
  [[131050], 'opted_out', 'failed', 'opt-out'],
  [[131026, 131021, 131030, 130497, 137000], 'bad_contact', 'failed', 'unreachable'],
  [[130472], 'bad_contact', 'failed', 'nothing'],
  [[131047], 'window_closed', 'failed', 'failures'],
  [[100, 131008, 131009, 131051, 131052, 136024, 136025, 141000], 'bad_request', 'failed', 'in a row'],
]
const rows = table.flatMap(([codes, errorClass, answered, followed]) =>
  codes.map((code) => ({ code, errorClass, answered, followed })),
)

const at = new Date('2026-05-04T10:00:00Z')
/** Not used: no message is accepted here. */
const unused = undefined as never
const messageOf = (kind: string, attempts = 0): MessageRecord => ({
  id: 'm',
  workspaceId: 'w',
  conversationId: 'v',
  numberId: 'n',
  contactId: 'c',
  direction: 'outbound',
  content: { type: 'template' },
  statusAt: {},
  cause: { kind, id: 'a' },
  dispatch: { state: 'sending', priority: 1, notBefore: at, attempts },
  sentAt: at,
  version: 1,
  createdAt: at,
  updatedAt: at,
})

type Dependencies = Parameters<typeof createSettling>[0]

/** A message as it is sent, and details of its answer beside the code. */
interface Asked {
  readonly attempts: number
  readonly after: number
  readonly type: 'template' | 'text'
  readonly category: Template['category']
  readonly subcode: number
  readonly isThrottled: true
  readonly isTransient: true
  readonly direction: MessageRecord['direction']
}

/** Returns the outcome of a message that WhatsApp answers with a code. */
async function answer(
  code: number,
  kind: string,
  {
    attempts = 0,
    after = 0,
    type = 'template',
    category = 'marketing',
    direction = 'outbound',
    ...also
  }: Partial<Asked> = {},
) {
  const changes: MessageChange[] = []
  const deferred: Parameters<Outbox['defer']>[1][number][] = []
  const slow = vi.fn(async () => undefined)
  const stopNumber = vi.fn<Dependencies['numbers']['stop']>(async () => undefined)
  const countSend = vi.fn()
  const message = { ...messageOf(kind, attempts), content: { type }, direction }
  const settling = createSettling({
    outbox: { defer: async (_scope, some) => deferred.push(...some), read: async () => message },
    messages: { change: async (_scope, some) => void changes.push(...some), accepted: unused },
    acceptances: unused,
    contacts: { noteWaPhones: async () => undefined },
    limits: { slow },
    numbers: { stop: stopNumber },
    applyParked: async () => undefined,
    transaction: async (work) => work({ session: {} as never, emit: () => undefined, send: () => undefined }),
    figures: { countSend, countFailedReply: vi.fn(), observeAccepted: vi.fn() },
    logger: unused,
    now: () => at,
  })
  const refusal = { code, message: 'refused', retryAfterSeconds: after, ...also }
  await settling.handle({ workspaceId: 'w' }, { message, category }, { kind: 'refused', refusal })
  const state = changes[0]?.set['dispatch.state']
  const waitMs = deferred[0] && deferred[0].notBefore.getTime() - at.getTime()
  const isStopped = stopNumber.mock.calls.length > 0
  const became = state ?? (isStopped ? 'stopped' : slow.mock.calls.length > 0 ? 'slowed' : 'retried')
  return {
    code: stopNumber.mock.calls[0]?.[2],
    isStopped,
    became,
    waitMs,
    isLate: deferred[0]?.isLate,
    counted: countSend.mock.calls.map(([result]) => result),
    set: changes[0]?.set,
  }
}

/** Returns the consequence of a code that a status reports. */
async function follow(code: number): Promise<Followed> {
  const failure = { messageId: 'm', contactId: 'c', numberId: 'n', code, reason: 'failed', at }
  const stopForFailure = vi.fn(async () => undefined)
  const placing = createResolveContacts({
    contacts: { ensure: vi.fn(), find: vi.fn(), changeIdentity: vi.fn() },
    conversations: { ensure: vi.fn() },
    announceContacts: vi.fn(),
    recordConsent: vi.fn(),
    numbers: { stopForFailure },
  })
  await placing.applyRefusals({ workspaceId: 'w' }, { refused: [failure] })
  if (stopForFailure.mock.calls.length > 0) return 'stop'
  if (stopsIn([failure]).length > 0) return 'opt-out'
  const row = { state: 'failed' as const, reason: String(code) }
  const group = { ...row, count: 60 }
  if (refusedIn([group])) return 'template'
  if (inARow([row, row, row])) return 'in a row'
  const pause = failuresIn([group])?.reason
  return pause === 'too_many_unreachable' ? 'unreachable' : pause === undefined ? 'nothing' : 'failures'
}

test('every code that is known is in this table', () => {
  const inTable = rows.map(({ code }) => code).filter((code) => code !== 200)
  expect(inTable.toSorted((left, right) => left - right)).toEqual(
    Object.keys(knownErrors)
      .map(Number)
      // WhatsApp answers with none of our own.
      .filter((code) => !(code in fileErrors))
      .toSorted((left, right) => left - right),
  )
  expect(classifyError(299)).toEqual(classifyError(200))
})

test.each(rows)('$code is $errorClass: in an answer $answered, as a status $followed', async (row) => {
  const { code, errorClass, answered, followed } = row
  expect(classifyError(code).class).toBe(errorClass)
  expect((await answer(code, 'campaign')).became).toBe(answered)
  // A person's own message is reported as failed, with what to do.
  expect((await answer(code, 'member')).became).toBe(answered === 'held' ? 'failed' : answered)
  expect(await follow(code)).toBe(followed)
})

test('a code that nobody knows is a fault to look at', async () => {
  expect(classifyError(999_999).class).toBe('bad_request')
  expect(await answer(999_999, 'campaign')).toMatchObject({ became: 'failed', counted: ['faulty'] })
  expect((await answer(131009, 'member')).counted).toEqual(['faulty'])
  expect((await answer(132018, 'campaign')).counted).toEqual(['refused'])
  expect((await answer(190, 'campaign')).counted).toEqual(['stopped'])
})

test.each([
  [131000, 0, 5_000],
  [131000, 4, 80_000],
  [131057, 0, 60_000],
  [131053, 1, 10_000],
  [131056, 0, 1_000],
  [131056, 3, 64_000],
  [131056, 9, 256_000],
])('%i after %i tries waits for %i ms, a fifth more or less', async (code, attempts, ms) => {
  const { became, waitMs = 0 } = await answer(code, 'campaign', { attempts })
  expect(became).toBe('retried')
  expect(waitMs).toBeGreaterThanOrEqual(ms * 0.8 - 1)
  expect(waitMs).toBeLessThanOrEqual(ms * 1.2)
})

test.each([
  [131000, 5],
  [131053, 2],
  [131056, 20],
])('%i is given up after %i tries', async (code, attempts) => {
  expect((await answer(code, 'campaign', { attempts })).became).toBe('failed')
})

test('what a code does not tell, its answer may: too much was asked, or the same would not be refused again', async () => {
  expect((await answer(100, 'campaign', { isThrottled: true })).became).toBe('slowed')
  expect((await answer(999_999, 'campaign', { isThrottled: true })).became).toBe('slowed')
  expect((await answer(100, 'campaign', { isTransient: true })).became).toBe('retried')
  expect((await answer(999_999, 'member', { isTransient: true })).became).toBe('retried')
  // Codes that tell more are taken at their word.
  expect((await answer(131056, 'campaign', { isThrottled: true })).became).toBe('retried')
  expect((await answer(131048, 'campaign', { isThrottled: true })).became).toBe('stopped')
  expect((await answer(131047, 'campaign', { isThrottled: true, isTransient: true })).became).toBe('failed')
  expect((await answer(190, 'campaign', { isTransient: true })).became).toBe('stopped')
})

test('a message whose number or customer is at the limit is not late, one that WhatsApp could not take is', async () => {
  const late = async (code: number) => (await answer(code, 'member')).isLate
  expect(await Promise.all([131016, 130429, 131056].map(late))).toEqual([true, false, false])
})

test('WhatsApp is not asked earlier than it wants', async () => {
  expect((await answer(131016, 'campaign', { after: 600 })).waitMs).toBe(600_000)
})

test('a number that the business has taken away stops, whoever sends; no message fails for it', async () => {
  const taken = { subcode: 33 }
  expect(await answer(100, 'member', taken)).toMatchObject({ became: 'stopped', code: 33 })
  expect(await answer(100, 'campaign', { ...taken, type: 'text' })).toMatchObject({ became: 'stopped', code: 33 })
  // Another subcode is about the message.
  expect(await answer(100, 'member', { subcode: 2_494_010 })).toMatchObject({ became: 'failed' })
  expect(stoppedBy({ code: 33 })).toBe('all')
})

test.each([
  ['a reply, and the code stops templates', 131042, { type: 'text' }],
  ['a reply, and the code stops marketing', 131048, { type: 'text' }],
  ['a login code, and the code stops marketing', 131048, { category: 'authentication' }],
  ['an order notice, and the code stops marketing', 131063, { category: 'utility' }],
] as const)('what is refused and not stopped by it ends: %s', async (_what, code, sent) => {
  expect(await answer(code, 'member', sent)).toMatchObject({ became: 'failed', isStopped: true })
  expect(await answer(code, 'automation', sent)).toMatchObject({ became: 'failed', isStopped: true })
  // Its campaign is paused for the number, and nobody is left out.
  expect(await answer(code, 'campaign', sent)).toMatchObject({ became: 'held', isStopped: true })
})

test('what a code stops: a whole number, its templates or its marketing; of it alone or of its account', () => {
  const stops = (code: number) => classifyError(code).stops
  expect([190, 131037, 133010].map(stops)).toEqual(Array(3).fill({ what: 'all', of: 'number' }))
  expect([131031, 368, 131064].map(stops)).toEqual(Array(3).fill({ what: 'all', of: 'account' }))
  expect(stops(131042)).toEqual({ what: 'templates', of: 'account' })
  expect(stops(131048)).toEqual({ what: 'marketing', of: 'number' })
  expect(stops(131063)).toEqual({ what: 'marketing', of: 'account' })
  expect(stoppedBy({ code: 131048 })).toBe('marketing')
})

test('a reaction that is refused has failed, and not the customer’s message that it is about', async () => {
  const { set } = await answer(131009, 'member', { direction: 'inbound' })
  expect(set).toEqual({ 'dispatch.state': 'failed' })
  expect((await answer(131009, 'member')).set).toMatchObject({ status: 'failed', error: { code: 131009 } })
})
