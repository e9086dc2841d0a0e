import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, sendWebhook } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const collection = (name: string) => parley.database.connection.collection(name)
const contactsWith = (filter: object) =>
  collection('contacts')
    .find({ ...parley.inWorkspace, merged: { $exists: false }, ...filter })
    .toArray()

let serial = 100_000
const next = () => (serial += 1)
const newUser = () => `IN.77${next()}`
const newPhone = () => `919812${next()}`
let second = Math.floor(Date.now() / 1000)
const base = () => {
  second = Math.max(second + 1, Math.floor(Date.now() / 1000))
  return { id: `wamid.${new Types.ObjectId()}`, timestamp: String(second) }
}
const text = (body: string, sender: object = {}) => ({ ...base(), type: 'text', text: { body }, ...sender })
const notice = (system: object, sender: object = {}) => ({ ...base(), type: 'system', system, ...sender })
type Message = ReturnType<typeof base>

const change = (message: Message, contacts?: readonly object[]) => ({
  field: 'messages',
  value: { ...headOf(parley), ...(contacts && { contacts }), messages: [message] },
})
const stored = (message: Message) =>
  eventually(async () => {
    const found = await collection('messages').findOne({ ...parley.inWorkspace, waMessageId: message.id })
    expect(found).not.toBeNull()
    return String(found?.['contactId'])
  })
async function receive(message: Message, contacts?: readonly object[]): Promise<string> {
  await sendWebhook(parley, change(message, contacts))
  return stored(message)
}
const isOut = (filter: object) =>
  eventually(async () =>
    expect(await contactsWith(filter)).toMatchObject([{ live: true, optIn: { marketing: 'out' } }]),
  )

test('the sole entry beside a message says who has written', async () => {
  const user = newUser()
  const id = await receive(text('x'), [{ profile: { name: 'Isha' }, user_id: user }])
  expect(await contactsWith({ waUserId: user })).toMatchObject([{ _id: new Types.ObjectId(id), name: 'Isha' }])
})

test('an entry with another identity of the sender joins both, and one of somebody else does not', async () => {
  const [phone, user] = [newPhone(), newUser()]
  const entry = { profile: { name: 'Bo' }, wa_id: phone, user_id: user }
  const id = await receive(text('STOP', { from: phone }), [entry])
  expect(await receive(text('Hi', { from_user_id: user }), [{ user_id: user }])).toBe(id)
  await isOut({ $or: [{ phone: `+${phone}` }, { waUserId: user }] })
  const stranger = newPhone()
  const other = await receive(text('Hi', { from: stranger }), [entry])
  expect(await contactsWith({ phone: `+${stranger}` })).toMatchObject([
    { _id: new Types.ObjectId(other), name: `+${stranger}` },
  ])
})

const notices = [
  ['in fields of their own', (before: string, after: string) => ({ previous_user_id: before, user_id: after })],
  [
    'in its words',
    (before: string, after: string) => ({ body: `User Tara changed from ${before} to ${after}`, user_id: after }),
  ],
] as const

test.each(notices)(
  'a notice with both user ids %s keeps somebody one contact, whatever comes first',
  async (_how, system) => {
    for (const how of ['one by one', 'together', 'the new one first'] as const) {
      const [before, after] = [newUser(), newUser()]
      const changeNotice = notice({ type: 'user_changed_user_id', ...system(before, after) })
      const [first, then] = [text('STOP', { from_user_id: before }), text('two', { from_user_id: after })]
      if (how === 'together') {
        await sendWebhook(parley, change(first), change(changeNotice), change(then))
        await stored(then)
      } else {
        await receive(first)
        for (const message of how === 'one by one' ? [changeNotice, then] : [then, changeNotice]) await receive(message)
      }
      await isOut({ waUserId: { $in: [before, after] } })
      expect(await contactsWith({ waUserId: after })).toHaveLength(1)
      expect(await receive(text('three', { from_user_id: after }))).toBe(await stored(first))
    }
  },
)

test('user ids that a notice of the account has changed are one contact, also where the new one has written before', async () => {
  const [before, after] = [newUser(), newUser()]
  const first = await receive(text('STOP', { from_user_id: before }))
  await receive(text('two', { from_user_id: after }))
  const value = { user_id_update: [{ user_id: { previous: before, current: after } }] }
  await sendWebhook(parley, { field: 'user_id_update', value })
  await isOut({ waUserId: { $in: [before, after] } })
  expect(await receive(text('three', { from_user_id: after }))).toBe(first)
})

test('a notice gives whoever was known by the number alone a new number and a user id', async () => {
  const [phone, newer, user] = [newPhone(), newPhone(), newUser()]
  const id = await receive(text('one', { from: phone }), [{ profile: { name: 'Dev' }, wa_id: phone }])
  await receive(notice({ type: 'user_changed_user_id', wa_id: newer, user_id: user }, { from: phone }))
  const entry = { profile: { name: 'Dev' }, username: 'dev_x', user_id: user }
  expect(await receive(text('two', { from_user_id: user }), [entry])).toBe(id)
  await eventually(async () =>
    expect(await contactsWith({ _id: new Types.ObjectId(id) })).toMatchObject([
      { phone: `+${newer}`, waUserId: user, username: 'dev_x' },
    ]),
  )
})

test('a notice of a number that another contact has changes nothing of that one', async () => {
  const [phone, taken, user] = [newPhone(), newPhone(), newUser()]
  const [id, owner] = [await receive(text('one', { from: phone })), await receive(text('mine', { from: taken }))]
  await receive(notice({ type: 'user_changed_number', wa_id: taken, user_id: user }, { from: phone }))
  await eventually(async () =>
    expect(await contactsWith({ _id: new Types.ObjectId(id) })).toMatchObject([{ phone: `+${phone}`, waUserId: user }]),
  )
  expect(await receive(text('still me', { from: taken }))).toBe(owner)
})

test('whoever was first written to from the phone app gets the name of the profile, unless somebody has named them', async () => {
  const phone = newPhone()
  const echo = { ...text('From the phone'), from: '1', to: phone }
  await sendWebhook(parley, { field: 'smb_message_echoes', value: { ...headOf(parley), message_echoes: [echo] } })
  const id = await stored(echo)
  const named = () => contactsWith({ _id: new Types.ObjectId(id) })
  expect(await named()).toMatchObject([{ name: `+${phone}` }])
  await receive(text('hi', { from: phone }), [{ profile: { name: 'Farah', username: '@farah' }, wa_id: phone }])
  await eventually(async () =>
    expect(await named()).toMatchObject([{ name: 'Farah', username: 'farah', nameKey: 'farah' }]),
  )
  const ann = parley.signIn()
  expect((await ann.ask('GET', '/api/conversations?q=farah')).items).toMatchObject([{ contact: { id, name: 'Farah' } }])
  const { version } = await ann.ask('GET', `/api/contacts/${id}`)
  await ann.ask('PATCH', `/api/contacts/${id}`, { name: 'Mrs. Farah', version })
  await receive(text('hi', { from: phone }), [{ profile: { name: 'F.', username: 'farah.b' }, wa_id: phone }])
  await eventually(async () => expect(await named()).toMatchObject([{ name: 'Mrs. Farah', username: 'farah.b' }]))
})
