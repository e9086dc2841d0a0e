import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const newId = () => new Types.ObjectId().toHexString()
const visit = { id: '771', name: 'Book a visit' }
const owner = () => parley.signIn()
const worker = (workspaceId?: string) => parley.signInProcess('automation-worker', workspaceId)
/** Gives the account these forms and no others, and has them read. */
async function place(forms: readonly object[]) {
  await parley.simulator.call('/forms', { account_id: parley.simulatedNumber.accountId, forms })
  const { readAt } = await owner().ask('GET', '/api/forms')
  await owner().ask('POST', '/api/templates/sync')
  return eventually(async () => {
    const listed = await owner().ask('GET', '/api/forms')
    expect([listed.running, listed.readAt === readAt]).toEqual([false, false])
    return listed
  })
}
const named = (formIds: readonly string[], from = worker()) => from.ask('POST', '/internal/lookups', { formIds })
const act = (conversationId: string, actions: readonly object[]) =>
  worker().ask('POST', '/internal/actions', {
    by: { kind: 'bot', id: newId(), runId: newId() },
    conversationId,
    actions,
  })
const form = (runId: string, more: object = {}) => ({
  key: `${runId}.1.0`,
  type: 'send',
  content: {
    type: 'form',
    text: 'When do you come?',
    button: 'Choose a day',
    formId: visit.id,
    screen: 'START',
    token: `${runId}.1.form`,
    ...more,
  },
})
const chats = () => withChats(parley, owner())

test('forms are listed as WhatsApp has them, to the last page, in their workspace alone', async () => {
  const many = Array.from({ length: 120 }, (_, index) => ({ id: String(5000 + index), name: `Z ${5000 + index}` }))
  const endpointUri = 'https://shop.example/flow'
  const { items } = await place([
    visit,
    { id: '772', name: 'Draft', status: 'DRAFT' },
    { id: '773', name: 'Asks a server', endpointUri },
    ...many,
  ])
  expect(items).toHaveLength(123)
  const businessAccountId = parley.simulatedNumber.accountId
  expect(items.slice(0, 3)).toEqual([
    { id: '773', name: 'Asks a server', state: 'published', hasEndpoint: true, businessAccountId },
    { ...visit, state: 'published', hasEndpoint: false, businessAccountId },
    { id: '772', name: 'Draft', state: 'draft', hasEndpoint: false, businessAccountId },
  ])
  const stranger = newId()
  expect(await parley.signIn({ workspaceId: stranger }).ask('GET', '/api/forms')).toMatchObject({
    items: [],
    readAt: null,
  })
  expect((await named([visit.id], worker(stranger))).forms).toEqual([])
  await expectIndexed(parley.database.connection, () => owner().ask('GET', '/api/forms'), { fewSorted: true })
  await expectIndexed(parley.database.connection, () => named([visit.id]))
})

test('a form goes to the customer, and their answers come back with its token, shown to nobody', async () => {
  await place([visit])
  const conversation = await chats().write('919812377001', 'Asha', 'Hello')
  const runId = newId()
  expect((await act(conversation.id, [form(runId)])).results).toMatchObject([{ outcome: 'done' }])
  const sent = await eventually(async () => {
    const message = (await chats().threadOf(conversation)).find(
      ({ direction }: { direction: string }) => direction === 'outbound',
    )
    expect(message?.status).toBe('read')
    return message
  })
  expect(sent?.content).toEqual({
    type: 'interactive',
    text: 'When do you come?',
    button: 'Choose a day',
    options: [],
    flow: { id: visit.id },
  })
  const { items: messages } = await parley.simulator.call('/messages?to=919812377001')
  const wamid = messages.findLast(({ direction }: { direction: string }) => direction === 'outbound').id
  await worker().call('PUT', '/internal/automation-state', { active: true, routingVersion: 1 })
  const { head } = await worker().ask('GET', '/internal/events')
  await parley.simulator.call('/press', { wamid, flow: { wanted_day: 'Monday', guests: 2 } })
  const answered = await eventually(async () => {
    const message = (await chats().threadOf(conversation)).find(
      ({ content }: { content: object }) => 'answers' in content,
    )
    expect(message).toBeDefined()
    return message
  })
  expect(JSON.stringify([sent, answered])).not.toContain(`${runId}.1.form`)
  const { items } = await worker().ask('GET', `/internal/events?after=${head}`)
  const said = items.flatMap(({ data }: { data: { said?: { choice?: string } } }) => data.said ?? [])
  expect(said.at(-1)).toEqual({
    type: 'interactive',
    text: 'Sent',
    choice: `${runId}.1.form`,
    answers: [
      { question: 'Wanted day', answer: 'Monday' },
      { question: 'Guests', answer: '2' },
    ],
  })
})

test('a form that is gone, no form of this account, or needs a server is not sent, and it is said why', async () => {
  const conversation = await chats().write('919812377002', 'Ravi', 'Hello')
  await place([visit, { id: '774', name: 'Asks a server', endpointUri: 'https://shop.example/flow' }])
  const messageOf = async (formId: string) => (await act(conversation.id, [form(newId(), { formId })])).results[0]
  const refused = (message: string) => ({ outcome: 'refused', code: 'form_unavailable', message })
  expect(await messageOf('999')).toMatchObject(refused('This form does not exist at WhatsApp.'))
  expect(await messageOf('774')).toMatchObject(refused('The form Asks a server asks a server of its own.'))
  expect((await place([])).items).toEqual([])
  expect(await messageOf(visit.id)).toMatchObject(
    refused('The form Book a visit is deleted at WhatsApp, not published.'),
  )
  expect((await named([visit.id, '999'])).forms).toMatchObject([{ id: visit.id, state: 'deleted' }])
  await parley.database.connection
    .collection('forms')
    .updateOne({ waFlowId: visit.id }, { $set: { businessAccountId: 'x' } })
  expect(await messageOf(visit.id)).toMatchObject(
    refused('The form Book a visit belongs to another account than the number.'),
  )
})

test('that forms cannot be read is told, and says nothing about templates', async () => {
  const before = await place([visit])
  const tooMany = Array.from({ length: 501 }, (_, index) => ({ id: String(9000 + index), name: `F ${index}` }))
  await parley.simulator.call('/forms', { account_id: parley.simulatedNumber.accountId, forms: tooMany })
  await owner().ask('POST', '/api/templates/sync')
  const after = await eventually(async () => {
    const listed = await owner().ask('GET', '/api/forms')
    expect([listed.running, listed.problem]).toEqual([false, expect.stringContaining('more than 500 forms')])
    return listed
  })
  expect(after).toMatchObject({ items: before.items, readAt: before.readAt })
  const { latest } = await owner().ask('GET', '/api/templates/sync')
  expect(latest).toHaveLength(1)
  expect(latest[0]).not.toHaveProperty('error')
  expect((await place([visit])).problem).toBeUndefined()
})
