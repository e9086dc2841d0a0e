import { Secret } from '@parley/service-kit/core/secret-box'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addContacts, approvedTemplate, firstName, launchCampaign } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
/** A number of another account of the same workspace. */
let second: { id: string; businessAccountId: string }
beforeAll(async () => {
  parley = await joinMessaging()
  const { simulator, services, scope, number } = parley
  const simulatedNumber = await simulator.call('/numbers', { name: 'Second Shop' })
  await services.endpoints.addAppSecret(scope, new Secret(simulatedNumber.appSecret), { simulated: true })
  second = await services.numberConnection.connect(scope, {
    displayName: 'Second Shop',
    phoneNumber: simulatedNumber.displayNumber,
    phoneNumberId: simulatedNumber.phoneNumberId,
    businessAccountId: simulatedNumber.accountId,
    accessToken: new Secret(simulatedNumber.accessToken),
    graphUrl: number.graphUrl,
    simulated: { phonePageUrl: number.graphUrl },
  })
})
afterAll(() => parley.stop())

const owner = () => parley.signIn()
const idsOf = async (accountId: string) => {
  const { items } = await owner().ask('GET', `/api/templates?accountId=${accountId}`)
  return items.map(({ id }: { id: string }) => id)
}

test('a template is made for the account that is named, and listed with it', async () => {
  const name = `offer_${new Types.ObjectId().toHexString()}`
  const first = await approvedTemplate(parley, { name })
  // Template names are unique within an account only.
  const other = await approvedTemplate(parley, { name, accountId: second.businessAccountId })
  expect((await owner().ask('GET', `/api/templates/${other}`)).accountId).toBe(second.businessAccountId)
  expect((await owner().ask('GET', `/api/templates/${first}`)).accountId).toBe(parley.simulatedNumber.accountId)
  expect(await idsOf(second.businessAccountId)).toEqual([other])
  expect(await idsOf(parley.simulatedNumber.accountId)).toEqual([first])
  const content = { name: `${name}_2`, language: 'en', category: 'marketing', buttons: [], examples: { 1: 'Asha' } }
  const body = 'Hi {{1}}, our new tea has arrived and it waits for you in the shop.'
  const unknown = await owner().call('POST', '/api/templates', { ...content, body, accountId: '999999999' })
  expect([unknown.status, unknown.body.fields]).toEqual([400, { accountId: 'No number of this account is connected.' }])
})

test('a template of another account is refused in the inbox and for a campaign before WhatsApp does', async () => {
  const other = await approvedTemplate(parley, { accountId: second.businessAccountId })
  const tags = ['accounts']
  const people = { count: 1, firstPhone: 919_885_000_000, tags }
  const [contactId] = await addContacts(parley.database.connection, parley.scope, people)
  // It begins from the default number, which is of the first account.
  const conversation = await owner().ask('POST', '/api/conversations', { contactId })
  const refused = await owner().call('POST', `/api/conversations/${conversation.id}/templates`, {
    templateId: other,
    values: { 1: 'Asha' },
    clientId: new Types.ObjectId().toHexString(),
  })
  expect([refused.status, refused.body.fields]).toEqual([
    400,
    { templateId: 'This template belongs to another account than the number.' },
  ])
  const messages = await owner().ask('GET', `/api/conversations/${conversation.id}/messages`)
  expect(messages.items).toEqual([])
  const input = { name: 'Offer', audience: { kind: 'tags', tags }, templateId: other, variables: firstName }
  const from = (numberId: string) => launchCampaign(owner(), { ...input, numberId })
  expect((await from(parley.number.id)).body.fields).toHaveProperty('templateId')
  expect((await from(second.id)).body).toMatchObject({ numberId: second.id, templateId: other })
})

test('a conversation is begun from the number that is named, once, and from none of another workspace', async () => {
  const people = { count: 1, firstPhone: 919_886_000_000, tags: ['numbered'] }
  const [contactId] = await addContacts(parley.database.connection, parley.scope, people)
  const open = (numberId?: string) => owner().call('POST', '/api/conversations', { contactId, numberId })
  const fromSecond = (await open(second.id)).body
  expect(fromSecond.numberId).toBe(second.id)
  expect((await open(second.id)).body.id).toBe(fromSecond.id)
  expect((await open()).body.id).toBe(fromSecond.id)
  expect((await open(parley.number.id)).body.numberId).toBe(parley.number.id)
  for (const foreign of [new Types.ObjectId().toHexString(), 'none'])
    expect((await open(foreign)).body.code, foreign).toBe('not_found')
})
