import type { ChatFormat, ContactJob } from '@parley/contracts/contacts/contact-jobs'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { Types } from 'mongoose'
import { expect } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

/** API path of a conversation. */
export const pathOf = ({ id }: { id: string }): string => `/api/conversations/${id}`

/** A member's actions on conversations and their exports. */
export function withChats(parley: Parley, ann: ReturnType<Parley['signIn']>) {
  const threadOf = async (conversation: Conversation) =>
    (await ann.ask('GET', `${pathOf(conversation)}/messages`)).items

  async function receive(from: string, name: string, message: object): Promise<Conversation> {
    const before = (await ann.ask('GET', `/api/conversations?q=${from}`)).items[0]?.history.messages ?? 0
    await parley.simulator.call('/inbound', { from, name, ...message })
    return eventually(async () => {
      const [conversation] = (await ann.ask('GET', `/api/conversations?q=${from}`)).items
      expect(conversation?.history.messages).toBeGreaterThan(before)
      return conversation
    })
  }
  const write = (from: string, name: string, body: string) => receive(from, name, { type: 'text', text: { body } })

  const exportsOf = async (conversation: Conversation): Promise<ContactJob[]> =>
    (await ann.ask('GET', `${pathOf(conversation)}/exports`)).items
  const start = (conversation: Conversation, format: ChatFormat) =>
    ann.ask('POST', `${pathOf(conversation)}/exports`, { format, timeZone: 'Asia/Kolkata' })
  const ended = (conversation: Conversation, id: string) =>
    eventually(async () => {
      const job = (await exportsOf(conversation)).find((one) => one.id === id)
      expect(['done', 'failed']).toContain(job?.state)
      return job
    })
  async function exported(conversation: Conversation, format: ChatFormat) {
    const { id } = await start(conversation, format)
    const job = await ended(conversation, id)
    expect(job).toMatchObject({ state: 'done', problem: null })
    const answer = await ann.request('GET', `/api/contact-jobs/${id}/file`)
    expect(answer.status).toBe(200)
    return { job, answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  /** Writes messages into a conversation as they are stored. */
  async function addMessages({ id, numberId, contact }: Conversation, count: number): Promise<void> {
    const ids = { conversationId: id, numberId, contactId: contact.id, workspaceId: ann.workspaceId }
    const known = Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, new Types.ObjectId(value)]))
    const fixed = { direction: 'inbound', statusAt: {}, cause: { kind: 'customer', id: contact.id }, version: 1 }
    const from = Date.parse('2026-01-01T00:00:00Z')
    for (let done = 0; done < count; done += 10_000) {
      const documents = Array.from({ length: Math.min(10_000, count - done) }, (_, index) => {
        // Several have the same time.
        const at = new Date(from + Math.floor((done + index) / 3) * 1000)
        const content = { type: 'text', text: `number ${done + index} of many` }
        return { ...known, ...fixed, content, sentAt: at, createdAt: at, updatedAt: at }
      })
      await fullConnection(parley.database.connection).collection('messages').insertMany(documents)
    }
  }

  return { threadOf, receive, write, exportsOf, start, ended, exported, addMessages }
}
