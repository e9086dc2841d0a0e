import { warningRules } from '@parley/contracts/templates/template-findings'
import { Types } from 'mongoose'
import { expect } from 'vitest'
import { z } from 'zod'
import { addContacts, eventually } from './campaign-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

export interface OnPhone {
  id: string
  callbackData: string
  status: string
  content: { components: object[] }
  shown: { header?: object; body: string; buttons: { type: string; action?: object }[] }
}

/** Chats to which templates are sent, and what reaches the phones. @param phones number before the first that is used. */
export function withTemplates(parley: () => Parley, phones: number) {
  const owner = () => parley().signIn()
  let last = phones

  async function chatWith(attributes: readonly { k: string; v: string }[] = [], tags: readonly string[] = []) {
    last += 1
    const people = { count: 1, firstPhone: last, tags, over: { attributes: [...attributes] } }
    const { database, scope } = parley()
    const [contactId] = await addContacts(database.connection, scope, people)
    return (await owner().ask('POST', '/api/conversations', { contactId })).id
  }

  const messagesOnPhones = async (): Promise<OnPhone[]> => {
    const { simulator, number } = parley()
    return (await simulator.call(`/messages?phone_number_id=${number.phoneNumberId}&limit=500`)).items
  }

  return {
    owner,
    chatWith,
    messagesOnPhones,
    send: (conversationId: string, templateId: string, values: object = { 1: 'Asha' }) =>
      owner().call('POST', `/api/conversations/${conversationId}/templates`, { templateId, values }),
    /** Waits until a message has reached its phone, and its status has come back. */
    delivered: (conversationId: string, id: string) =>
      eventually(async () => {
        const { items } = await owner().ask('GET', `/api/conversations/${conversationId}/messages`)
        expect(items.find((message: { id: string }) => message.id === id)?.status).toMatch(/delivered|read/)
        const message = (await messagesOnPhones()).find(({ callbackData }) => callbackData === id)
        expect(message).toBeDefined()
        return message as OnPhone
      }),
  }
}

/** Content of one value that is accepted with all of its warnings. */
export const plainContent = (over: object = {}) => ({
  name: `order_packed_${new Types.ObjectId().toHexString()}`,
  language: 'en',
  category: 'utility',
  body: 'Hi {{1}}, we have packed your order and handed it to the courier.',
  buttons: [],
  examples: { 1: 'Priya' },
  accepted: warningRules,
  ...over,
})

/** Content of three values, with a header and a link. */
export const orderContent = (over: object = {}) =>
  plainContent({
    header: 'Order {{1}} is on its way',
    body: 'Hi {{2}}, we have packed your order {{1}} and handed it to the courier. It should reach you by {{3}}. Bye.',
    buttons: [{ kind: 'url', text: 'Track it', url: 'https://chaiandco.example/track/{{1}}' }],
    examples: { 1: 'CC-20481', 2: 'Priya', 3: 'Thursday' },
    ...over,
  })

/** Accepts both states of a text that was sent for review: a verdict may come before the answer. */
export const inReview = expect.stringMatching(/^(pending|approved)$/)

/** Writes templates as the owner, and looks at what has become of them. */
export function writeTemplates(parley: () => Parley) {
  const owner = () => parley().signIn()
  const read = async (id: string) => (await owner().call('GET', `/api/templates/${id}`)).body
  return {
    owner,
    read,
    create: (over: object = {}) => owner().call('POST', '/api/templates', orderContent(over)),
    /** Waits until a template is approved and has these fields. */
    approved: (id: string, over: object = {}) =>
      eventually(async () => {
        const template = await read(id)
        expect(template).toMatchObject({ status: 'approved', ...over })
        return template
      }),
    /** Reads the templates of a name that WhatsApp has. */
    async atWhatsApp(name: string) {
      const { simulator, simulatedNumber } = parley()
      const query = new URLSearchParams({ name, limit: '100' })
      const url = `${simulator.url}/v26.0/${simulatedNumber.accountId}/message_templates?${query}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${simulatedNumber.accessToken}` } })
      return z.object({ data: z.array(z.looseObject({ language: z.string() })) }).parse(await answer.json()).data
    },
  }
}
