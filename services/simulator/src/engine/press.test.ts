import { expect, test } from 'vitest'
import { customer, settled, start } from '../testing/start-simulator.ts'

const body = { text: 'Please' }

/** Sends a message of the business with something to press. */
async function asked(interactive: object) {
  const running = await start()
  await running.hear(customer)
  const { id } = (await running.send(customer, { type: 'interactive', interactive })).body.messages[0]
  /** Returns what the business received after a press. */
  const pressed = async (more: object = {}) => {
    await running.sim('/press', { wamid: id, ...more })
    const answer = () =>
      running.receiver
        .changes()
        .flatMap(({ value }) => value.messages ?? [])
        .find((message) => (message['context'] as { id: string } | undefined)?.id === id)
    await settled(() => expect(answer()).toBeDefined())
    return answer()
  }
  return { ...running, id, pressed }
}

test('a flow that was filled in sends its answers with the token of the message', async () => {
  const parameters = { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', flow_token: 'token-1' }
  const { pressed } = await asked({ type: 'flow', body, action: { name: 'flow', parameters } })
  const answer = await pressed({ flow: { day: 'Monday' } })
  expect(answer).toMatchObject({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow' } } })
  const { nfm_reply: reply } = (answer as unknown as { interactive: { nfm_reply: { response_json: string } } })
    .interactive
  expect(JSON.parse(reply.response_json)).toEqual({ day: 'Monday', flow_token: 'token-1' })
})

test('the button of a template with a flow sends the token that was sent along', async () => {
  const running = await start()
  const components = [
    { type: 'BODY', text: 'Book a visit' },
    { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book' }] },
  ]
  const placed = { id: '1', name: 'visit', language: 'en', category: 'UTILITY', status: 'APPROVED', components }
  await running.sim('/templates', { account_id: running.simulatedNumber.accountId, templates: [placed] })
  const button = {
    type: 'button',
    sub_type: 'flow',
    index: '0',
    parameters: [{ type: 'action', action: { flow_token: 't-2' } }],
  }
  const template = { name: 'visit', language: { code: 'en' }, components: [button] }
  const { id } = (await running.send(customer, { type: 'template', template })).body.messages[0]
  const answer = (await running.sim('/press', { wamid: id, flow: { day: 'Friday' } })).body
  expect(JSON.parse(answer.content.nfm_reply.response_json)).toEqual({ day: 'Friday', flow_token: 't-2' })
})

test('a request for the customer’s contact is granted with their own card, one for calls with a yes', async () => {
  const contact = await asked({ type: 'contact_request', body, action: { name: 'request_contact_info' } })
  expect(await contact.pressed()).toMatchObject({
    type: 'contacts',
    contacts: [{ origin: 'contact_request', phones: [{ wa_id: customer }] }],
  })
  const calls = await asked({ type: 'call_permission_request', body, action: { name: 'call_permission_request' } })
  expect(await calls.pressed()).toMatchObject({
    interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
  })
})

test('what offers no form cannot be filled in', async () => {
  const { sim, id } = await asked({ type: 'location_request_message', body, action: { name: 'send_location' } })
  expect((await sim('/press', { wamid: id, flow: {} })).status).toBe(400)
  expect((await sim('/press', { wamid: id })).status).toBe(400)
})
