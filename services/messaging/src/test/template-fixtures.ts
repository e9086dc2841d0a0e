import { expect } from 'vitest'
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
