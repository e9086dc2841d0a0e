import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addContacts, approvedTemplate, eventually, firstName, launchCampaign, sendAt } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
  const buttons = ['Yes please', 'Stop'].map((text) => ({ kind: 'quick_reply', text }))
  templateId = await approvedTemplate(parley, { buttons })
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
let phones = 919_833_000_000

/** Launches a campaign that reaches this number of people. @returns each message's recipient, in no order. */
async function reached(count: number) {
  phones += 1000
  const { connection } = parley.database
  const contactIds = await addContacts(connection, parley.scope, { count, firstPhone: phones, tags: [] })
  const audience = { kind: 'contacts', contactIds }
  const input = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName }
  const { body } = await launchCampaign(owner(), input)
  await eventually(async () => expect(await countsOf(body.id)).toMatchObject({ delivered: count }))
  const ids = new Set((await recipients(body.id)).map((row) => row.id))
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}`)
  const all: { id: string; callbackData: string }[] = items
  const people = all
    .filter(({ callbackData }) => ids.has(callbackData))
    .map(({ id: wamid, callbackData: id }) => ({ wamid, id }))
  expect(people).toHaveLength(count)
  return { campaignId: body.id as string, people }
}
const countsOf = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body.counts
const recipients = async (id: string, outcome?: string) => {
  const { body } = await owner().call('GET', `/api/campaigns/${id}/recipients${outcome ? `?outcome=${outcome}` : ''}`)
  return recipientsApi.list.response.parse(body).items
}
const phoneOf = async (campaignId: string, id: string) =>
  (await recipients(campaignId)).find((row) => row.id === id)?.phone?.slice(1) ?? ''
const write = (from: string, body: string, over: object = {}) =>
  parley.simulator.call('/inbound', { from, type: 'text', text: { body }, ...over })

test('who writes back, quotes or presses is counted once, and opens as rows; a stop is no reply', async () => {
  const { campaignId, people } = await reached(5)
  expect(await countsOf(campaignId)).toMatchObject({ clicked: null, replied: 0 })
  const [writes, quotes, presses, stops] = people
  if (!writes || !quotes || !presses || !stops) throw new Error('five were expected')
  const from = await phoneOf(campaignId, writes.id)
  await write(from, 'Is it organic?')
  await write(from, 'And how much is it?')
  await write(await phoneOf(campaignId, quotes.id), 'This one, please', { reply_to: quotes.wamid })
  await parley.simulator.call('/press', { wamid: presses.wamid, button: 'Yes please' })
  await parley.simulator.call('/press', { wamid: stops.wamid, button: 'Stop' })
  await eventually(async () => expect(await countsOf(campaignId)).toMatchObject({ replied: 3, clicked: 2 }))
  const idsOf = async (outcome: string) => (await recipients(campaignId, outcome)).map(({ id }) => id).toSorted()
  expect(await idsOf('replied')).toEqual([writes.id, quotes.id, presses.id].toSorted())
  expect(await idsOf('clicked')).toEqual([presses.id, stops.id].toSorted())
})

test('with two campaigns the answer is the later one’s, unless it quotes the earlier', async () => {
  const first = await reached(2)
  const audience = {
    kind: 'contacts',
    contactIds: (await recipients(first.campaignId)).map(({ contactId }) => contactId),
  }
  const input = { name: 'Again', audience, numberId: parley.number.id, templateId, variables: firstName }
  const { body } = await launchCampaign(owner(), input)
  await eventually(async () => expect(await countsOf(body.id)).toMatchObject({ delivered: 2 }))
  const [writes, quotes] = first.people
  if (!writes || !quotes) throw new Error('two were expected')
  await expectIndexed(parley.database.connection, async () => {
    await write(await phoneOf(first.campaignId, writes.id), 'Yes!')
    await write(await phoneOf(first.campaignId, quotes.id), 'The one before', { reply_to: quotes.wamid })
    await eventually(async () => {
      expect(await countsOf(body.id)).toMatchObject({ replied: 1 })
      expect(await countsOf(first.campaignId)).toMatchObject({ replied: 1 })
    })
  })
  expect((await recipients(first.campaignId, 'replied')).map(({ id }) => id)).toEqual([quotes.id])
})
