import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { beforeAll, expect, test } from 'vitest'
import { createPerson } from './person.ts'
import { crash, handed, until, untilHealthy, up } from './stack.ts'

beforeAll(up)

const patiently = { timeout: 90_000, interval: 500 }
const customer = '+919812345678'

/** Writes as a customer does on the page of phones. */
async function write(phoneNumberId: string, text: string): Promise<void> {
  const answer = await fetch(`http://localhost:${handed.SIMULATOR_PORT}/sim/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number_id: phoneNumberId, from: customer, type: 'text', text: { body: text } }),
  })
  expect(answer.status).toBe(200)
}

test('a simulated number is connected in one call; a customer writes, is answered, and writes through a crash', async () => {
  const person = await createPerson()
  await person.verify()
  const simulated = await person.call('POST', numbersApi.simulate.path)
  expect(simulated).toMatchObject({ status: numbersApi.simulate.status })
  const number = numbersApi.simulate.response.parse(simulated.body)
  await write(number.phoneNumberId, 'Hi')

  const ofCustomer = async () => {
    const { body } = await person.call('GET', `${conversationsApi.list.path}?limit=100`)
    return conversationsApi.list.response.parse(body).items.find(({ contact }) => contact.phone === customer)
  }
  await expect.poll(async () => (await ofCustomer())?.lastMessage?.text, patiently).toBe('Hi')
  const { id = '' } = (await ofCustomer()) ?? {}
  const messages = messagesApi.list.path.replace(':id', id)
  const sent = await person.call('POST', messages, { body: { content: { type: 'text', text: 'Hello!' } } })
  expect(sent).toMatchObject({ status: messagesApi.send.status })
  await expect.poll(async () => (await ofCustomer())?.lastMessage, patiently).toMatchObject({ status: 'read' })

  // The simulator keeps what was not answered and calls again.
  const crashed = crash('messaging-ingest')
  await write(number.phoneNumberId, 'Are you there?')
  await crashed
  await untilHealthy(['messaging-ingest'])
  await until('the webhook taken', async () => (await ofCustomer())?.lastMessage?.text === 'Are you there?')
})
