import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { expect } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

/** A merge that takes nothing from the other contact. */
export const none = { name: false, account: false, attributes: [] as string[] }

/** Customers who write, and a member's actions on the contacts that they become. */
export function withMerging(parley: Pick<Parley, 'simulator'>, ann: ReturnType<Parley['signIn']>) {
  const contact = (id: string): Promise<Contact> => ann.ask('GET', `/api/contacts/${id}`)
  const says = (from: string, text: string, name = `Of ${from}`) =>
    parley.simulator.call('/inbound', { from, name, type: 'text', text: { body: text } })
  const conversationsOf = async ({ id }: Pick<Contact, 'id'>): Promise<Conversation[]> =>
    (await ann.ask('GET', `/api/conversations?contact=${id}`)).items
  const textsOf = async ({ id }: Pick<Conversation, 'id'>): Promise<unknown[]> => {
    const { items }: { items: Message[] } = await ann.ask('GET', `/api/conversations/${id}/messages?limit=100`)
    return items.map(({ content }) => 'text' in content && content.text).toSorted()
  }

  /** Adds a customer who has written. */
  async function writer(from: string, ...texts: string[]) {
    for (const text of texts) await says(from, text)
    const conversation = await eventually(async () => {
      const [found]: Conversation[] = (await ann.ask('GET', `/api/conversations?q=${from}`)).items
      expect(found?.history.messages).toBe(texts.length)
      return found
    })
    if (!conversation) throw new Error('nobody has written')
    return { conversation, contact: await contact(conversation.contact.id) }
  }

  const tries = (kept: Contact, other: Contact, taken = none, by = ann) =>
    by.call('POST', `/api/contacts/${kept.id}/merge`, {
      otherId: other.id,
      taken,
      version: kept.version,
      otherVersion: other.version,
    })
  async function merge(kept: Contact, other: Contact, taken = none): Promise<Contact> {
    const [one, two] = [await contact(kept.id), await contact(other.id)]
    const { status, body } = await tries(one, two, taken)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const edit = async ({ id }: Contact, fields: object) =>
    ann.ask('PATCH', `/api/contacts/${id}`, { ...fields, version: (await contact(id)).version })
  const undoes = (kept: Contact, other: Contact) =>
    ann.call('POST', `/api/contacts/${kept.id}/unmerge`, { otherId: other.id })
  return { contact, says, conversationsOf, textsOf, writer, tries, merge, edit, undoes }
}
