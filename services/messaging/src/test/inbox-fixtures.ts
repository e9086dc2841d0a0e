import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

export const list = '/api/conversations'
export const pathOf = ({ id }: { id: string }) => `${list}/${id}`

type Parley = Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<Parley['signIn']>
export interface Inbox {
  readonly parley: Parley
  readonly ann: Person
  /** An agent. */
  readonly bob: Person
  /** Conversations of customers who have written: Asha twice, the others once. */
  readonly asha: Conversation
  readonly zoe: Conversation
  readonly mohan: Conversation
}

/** Gives a file an inbox of three customers. @param begin given what was started. */
export function withInbox(begin: (inbox: Inbox) => void) {
  let parley: Parley
  let ann: Person
  const writes = (from: string, name: string, body: string) =>
    parley.simulator.call('/inbound', { from, name, type: 'text', text: { body } })
  const find = async (query: string, by = ann): Promise<Conversation[]> => {
    const { status, body } = await by.call('GET', `${list}${query}`)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body.items
  }
  beforeAll(async () => {
    parley = await joinMessaging()
    ann = parley.signIn()
    const members = await parley.members()
    await members.join(ann, 'Ann Stone')
    await writes('919812340001', 'Asha Rao', 'first')
    await writes('919812340001', 'Asha Rao', 'second')
    await writes('919812340002', 'Zoë Šimić', 'hello')
    await writes('447700900123', 'Mohan', 'namaste')
    await eventually(async () => {
      const found = await find('')
      expect(found.reduce((sum, { unreadCount }) => sum + unreadCount, 0)).toBe(4)
      const byName = (name: string) => found.find(({ contact }) => contact.name === name)
      const [asha, zoe, mohan] = [byName('Asha Rao'), byName('Zoë Šimić'), byName('Mohan')]
      if (!asha || !zoe || !mohan) throw new Error('somebody has not been heard yet')
      begin({ parley, ann, bob: parley.signIn({ role: 'agent' }), asha, zoe, mohan })
    })
  })
  afterAll(() => parley.stop())
  return {
    writes,
    find,
    names: async (query: string, by = ann) => (await find(query, by)).map(({ contact }) => contact.name),
    threadOf: async (conversation: Conversation, query = ''): Promise<Message[]> =>
      (await ann.call('GET', `${pathOf(conversation)}/messages${query}`)).body.items,
    change: (conversation: Conversation, json: object, by = ann) => by.call('PATCH', pathOf(conversation), json),
    read: async (conversation: Conversation): Promise<Conversation> =>
      (await ann.call('GET', pathOf(conversation))).body,
  }
}
