import { expect, test } from 'vitest'
import { z } from 'zod'
import { failureOf, type GraphAnswer, GraphCallFailed, readAnswer } from './graph-answer.ts'
import { sendCall } from './send-call.ts'

const answerOf = (status: number, body: unknown, headers: GraphAnswer['headers'] = {}): GraphAnswer => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
})
const error = (over: object) => ({ error: { message: '(#131056) Too much', code: 131056, ...over } })
const send = (answer: GraphAnswer) =>
  sendCall(
    {
      graph: { exchange: async () => ({ statusCode: answer.status, headers: answer.headers, text: answer.text }) },
      phoneNumberId: '1',
      accessToken: 'token',
    },
    {},
  )

// Shapes that were seen in answers of the Graph API, or that its documentation does not rule out.
test.each<[string, object, object]>([
  ['as documented', {}, { code: 131056, message: '(#131056) Too much' }],
  ['no subcode', { error_subcode: null }, { code: 131056, subcode: undefined }],
  ['a subcode as text', { error_subcode: '2388024' }, { subcode: 2388024 }],
  ['a code as text', { code: '131056' }, { code: 131056 }],
  ['details as a text', { error_data: 'pair limit' }, { message: '(#131056) Too much: pair limit' }],
  [
    'details as JSON in a text',
    { error_data: '{"details":"pair limit"}' },
    { message: '(#131056) Too much: pair limit' },
  ],
  ['details that are none', { error_data: { details: null } }, { message: '(#131056) Too much' }],
  ['data that is a list', { error_data: ['x'] }, { code: 131056 }],
  ['no message', { message: null }, { code: 131056, message: '' }],
  ['words for people that are none', { error_user_title: null, error_user_msg: 7 }, { code: 131056 }],
  ['words for people', { error_user_msg: 'Wait.' }, { message: '(#131056) Too much: Wait.' }],
  ['passing', { is_transient: true }, { isTransient: true }],
  ['passing, as text', { is_transient: 'true' }, { isTransient: true }],
  ['not passing', { is_transient: null }, { code: 131056 }],
  ['a code that is none', { code: null }, { code: 100 }],
])('an error with %s keeps all else that it says', async (_, over, expected) => {
  const answer = answerOf(400, error(over))
  expect(failureOf(answer).refusal).toMatchObject(expected)
  expect(await send(answer)).toMatchObject({ kind: 'refused', refusal: expected })
})

test.each<[string, GraphAnswer, object]>([
  ['an error that is a text', answerOf(401, { error: 'Bad token' }), { code: 190, message: 'Bad token' }],
  ['an error in a success', answerOf(200, error({})), { code: 131056 }],
  ['too many calls', answerOf(429, error({})), { code: 131056, isThrottled: true }],
  [
    'too many calls, by a gateway',
    answerOf(429, '<html>', { 'retry-after': '30' }),
    { code: 4, retryAfterSeconds: 30 },
  ],
])('%s is a refusal', async (_, answer, expected) => {
  expect(failureOf(answer).refusal).toMatchObject(expected)
  expect(await send(answer)).toMatchObject({ kind: 'refused', refusal: expected })
})

test('a wait is told in seconds or as a date', () => {
  const waitOf = (value: string) =>
    failureOf(answerOf(429, error({}), { 'retry-after': value })).refusal?.retryAfterSeconds
  expect([waitOf('12'), waitOf('0'), waitOf('soon'), waitOf('Wed, 21 Oct 2015 07:28:00 GMT')]).toEqual([
    ...[12, undefined, undefined, undefined],
  ])
  expect(waitOf(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(3000)
})

test.each<[string, GraphAnswer]>([
  ['a gateway’s own page', answerOf(502, '<html>')],
  ['an error behind which anything may have happened', answerOf(500, { error: { message: 'x' } })],
  ['an empty success', answerOf(200, '')],
  ['a success without a message', answerOf(200, { messages: [] })],
  ['a success without an id', answerOf(200, { messages: [{ id: null }] })],
])('%s is uncertain', async (_, answer) => {
  expect(await send(answer)).toMatchObject({ kind: 'uncertain' })
})

test.each<[string, object, object]>([
  [
    'as documented',
    { contacts: [{ input: '1', wa_id: '1' }], messages: [{ id: 'wamid.1' }] },
    { waId: '1', held: false },
  ],
  ['held', { messages: [{ id: 'wamid.1', message_status: 'held_for_quality_assessment' }] }, { held: true }],
  ['with nulls', { contacts: [{ wa_id: null }], messages: [{ id: 'wamid.1', message_status: null }] }, { held: false }],
  ['without contacts', { contacts: null, messages: [{ id: 'wamid.1' }] }, { held: false }],
  ['with a contact that is none', { contacts: [null], messages: [{ id: 'wamid.1' }, null] }, { held: false }],
  ['with an empty error', { error: null, messages: [{ id: 'wamid.1' }] }, { held: false }],
])('a success %s was accepted', async (_, body, expected) => {
  expect(await send(answerOf(200, body))).toEqual({ kind: 'accepted', waMessageId: 'wamid.1', ...expected })
})

test('an answer is read by its schema, unless it says that it is an error', () => {
  const schema = z.looseObject({ name: z.string().optional() })
  expect(readAnswer(schema, answerOf(200, { name: 'a' }))).toEqual({ name: 'a' })
  expect(() => readAnswer(schema, answerOf(200, error({})))).toThrow(GraphCallFailed)
  expect(() => readAnswer(schema, answerOf(404, { name: 'a' }))).toThrow(GraphCallFailed)
  expect(() => readAnswer(schema, answerOf(200, 'none'))).toThrow('does not understand')
  expect(() => readAnswer(schema, answerOf(503, ''))).toThrow('WhatsApp answered 503.')
})
