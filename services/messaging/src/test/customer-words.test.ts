import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, postSigned } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const collection = (name: string) => parley.database.connection.collection(name)

let count = 0
let second = Math.floor(Date.now() / 1000) - 3600
function next(): number {
  count += 1
  return count
}
const newPhone = () => `9198124${String(next()).padStart(5, '0')}`

/** Sends a customer's message by webhook, one second after the one before. */
async function say(from: string, message: { type: string; [field: string]: unknown }) {
  second += 1
  const id = `wamid.words-${next()}`
  const change = {
    field: 'messages',
    value: { ...headOf(parley), messages: [{ id, from, timestamp: String(second), ...message }] },
  }
  const body = JSON.stringify({ entry: [{ id: parley.simulatedNumber.accountId, changes: [change] }] })
  expect((await postSigned(parley, body)).status).toBe(200)
  await eventually(async () =>
    expect(await collection('rawEvents').countDocuments({ ...parley.inWorkspace, lane: { $exists: true } })).toBe(0),
  )
  return id
}
const write = (from: string, body: string) => say(from, { type: 'text', text: { body } })
const contactOf = async (from: string) => {
  const found = await collection('contacts').findOne({ ...parley.inWorkspace, phone: `+${from}` })
  return (await ann.call('GET', `/api/contacts/${found?.['_id']}`)).body
}
const consentOf = async (from: string) => (await contactOf(from)).optIn.marketing

test.each<[string, { type: string; [field: string]: unknown }]>([
  ['with thanks', { type: 'text', text: { body: 'Stop. Thank you' } }],
  ['in another language', { type: 'text', text: { body: 'Отписаться, пожалуйста' } }],
  ['as the caption of a picture', { type: 'image', image: { id: '1', mime_type: 'image/jpeg', caption: 'STOP' } }],
  ['as a button of a template', { type: 'button', button: { text: 'Stop promotions', payload: 'Stop promotions' } }],
  ['as a button in another language', { type: 'button', button: { text: 'Detener promociones', payload: 'x' } }],
  [
    'as a choice',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '2', title: 'Stop offers' } } },
  ],
])('who says stop %s gets no marketing, and is told so', async (_, message) => {
  const from = newPhone()
  await say(from, message)
  expect(await contactOf(from)).toMatchObject({ optIn: { marketing: 'out', source: 'keyword' } })
  await eventually(async () =>
    expect(
      await collection('messages').countDocuments({
        ...parley.inWorkspace,
        clientId: /^consent:/,
        contactId: (await collection('contacts').findOne({ phone: `+${from}` }))?.['_id'],
      }),
    ).toBe(1),
  )
})

test.each([
  ['a sentence', { type: 'text', text: { body: 'I will stop by the shop' } }],
  ['a button that cancels something', { type: 'button', button: { text: 'Cancel', payload: 'Cancel' } }],
])('%s is no opt-out', async (_, message) => {
  const from = newPhone()
  await say(from, message)
  expect(await consentOf(from)).toBe('unknown')
})

test('a message that is changed to a stop word is one, also where the change is told first', async () => {
  const from = newPhone()
  const edited = (original_message_id: string) => ({
    type: 'edit',
    edit: { original_message_id, message: { type: 'text', text: { body: 'STOP' } } },
  })
  const id = await write(from, 'Hello')
  await say(from, edited(id))
  expect(await contactOf(from)).toMatchObject({ optIn: { marketing: 'out', source: 'keyword' } })

  const other = newPhone()
  const later = `wamid.words-${count + 2}`
  await say(other, edited(later))
  expect(await write(other, 'Hello')).toBe(later)
  await eventually(async () => expect(await consentOf(other)).toBe('out'))
})

test('a first “Start” is no consent, unless it answers a message that offers it, or ends an opt-out', async () => {
  const from = newPhone()
  await write(from, 'Start')
  expect(await consentOf(from)).toBe('unknown')
  await write(from, 'STOP')
  await write(from, 'start please')
  expect(await consentOf(from)).toBe('in')

  const asked = newPhone()
  await write(asked, 'Hi')
  const { id } = await contactOf(asked)
  const conversation = await collection('conversations').findOne({
    ...parley.inWorkspace,
    contactId: (await collection('contacts').findOne({ phone: `+${asked}` }))?.['_id'],
  })
  const sent = await ann.call('POST', `/api/conversations/${conversation?.['_id']}/messages`, {
    clientId: `ask-${id}`,
    content: { type: 'text', text: 'Write START to get our offers.' },
  })
  expect(sent.status).toBe(201)
  second = Math.floor(Date.now() / 1000) + 1
  await write(asked, 'Start')
  expect(await consentOf(asked)).toBe('in')

  const keyword = newPhone()
  await write(keyword, 'SUBSCRIBE')
  expect(await consentOf(keyword)).toBe('in')
})

test('words of the languages that mean something else in a workspace count for nothing there', async () => {
  const { body: settings } = await ann.call('GET', '/api/consent/settings')
  expect(settings.ignored).toEqual([])
  const saved = await ann.call('PUT', '/api/consent/settings', { ...settings, ignored: ['cancel'] })
  expect(saved.body).toMatchObject({ ignored: ['cancel'] })
  const [cancels, ends] = [newPhone(), newPhone()]
  await write(cancels, 'Cancel')
  await write(ends, 'End')
  expect([await consentOf(cancels), await consentOf(ends)]).toEqual(['unknown', 'out'])
})
