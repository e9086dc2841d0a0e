import { statSync } from 'node:fs'
import { conversationSchema } from '@parley/contracts/inbox/conversations'
import { messageSchema } from '@parley/contracts/inbox/messages'
import { beforeEach, describe, expect, test } from 'vitest'
import { conversationOf, findConversations, inboxCounts, openConversation, threadOf } from './inbox.ts'
import { mediaFiles } from './media-files.ts'
import { knownPeople } from './people.ts'
import { createSampleDataset, type SampleDataset } from './sample-dataset.ts'

const now = new Date('2026-03-09T22:15:00.000Z')
const minutesAgo = (at: string) => Math.round((now.getTime() - Date.parse(at)) / 60_000)
let sampleDataset: SampleDataset
beforeEach(() => {
  sampleDataset = createSampleDataset({ now })
})

test('320 conversations, the latest first, each fit for the contract and at its contact’s last contact', () => {
  const found = findConversations(sampleDataset, {})
  expect(found).toHaveLength(320)
  const ats = found.map(({ lastMessage }) => lastMessage.at)
  expect(ats).toEqual(ats.toSorted().toReversed())
  for (const { id, contactId, lastMessage } of found) {
    conversationSchema.parse(conversationOf(sampleDataset, id))
    expect(lastMessage.at).toBe(sampleDataset.contacts.get(contactId)?.lastContactAt)
  }
  expect(found.slice(0, 6).map(({ contactId }) => sampleDataset.contacts.get(contactId)?.name)).toEqual([
    ...knownPeople,
  ])
})

test('a thread has the messages that its conversation counts, in order, and ends with the last one', () => {
  for (const { id, history, lastMessage, unreadCount } of sampleDataset.conversations.values()) {
    const thread = threadOf(sampleDataset, id).map((message) => messageSchema.parse(message))
    expect([id, thread.length]).toEqual([id, history.messages])
    const times = thread.map(({ sentAt }) => sentAt)
    expect(times).toEqual(times.toSorted())
    expect([times[0], times.at(-1)]).toEqual([history.firstContactAt, lastMessage.at])
    expect(thread.at(-1)).toMatchObject({ direction: lastMessage.direction })
    expect(thread.at(-1)?.status).toBe(lastMessage.status)
    expect(thread.slice(thread.length - unreadCount).every(({ direction }) => direction === 'inbound')).toBe(true)
  }
})

test('the threads agree with what the dashboard tells', () => {
  const [priya, rahul, ananya] = [1, 2, 3].map((position) => threadOf(sampleDataset, `conversation-${position}`))
  expect(priya?.at(-1)?.direction).toBe('inbound')
  expect(minutesAgo(priya?.at(-1)?.sentAt ?? '')).toBe(2)
  const failed = rahul?.find(({ status }) => status === 'failed')
  expect(minutesAgo(failed?.sentAt ?? '')).toBe(47)
  expect(failed?.error?.nextStep).toBeTruthy()
  expect(minutesAgo(ananya?.findLast(({ direction }) => direction === 'inbound')?.sentAt ?? '')).toBe(190)
})

test('every kind of content occurs, and one thread has thousands of messages', () => {
  const kinds = new Set(
    [...sampleDataset.conversations.keys()].flatMap((id) => threadOf(sampleDataset, id).map((m) => m.content.type)),
  )
  expect(kinds.size).toBe(13)
  expect(threadOf(sampleDataset, 'conversation-5').length).toBeGreaterThan(5000)
})

test('the first conversations take free text, others do not any more', () => {
  const open = [...sampleDataset.conversations.values()].map(
    ({ windowExpiresAt }) => windowExpiresAt !== undefined && windowExpiresAt > now.toISOString(),
  )
  expect(open.slice(0, 6)).toEqual(Array(6).fill(true))
  expect(open).toContain(false)
})

test('counters are counted from the conversations', () => {
  const counts = inboxCounts(sampleDataset)
  const unread = findConversations(sampleDataset, { show: 'unread' })
  expect(counts.unread).toBe(unread.reduce((sum, { unreadCount }) => sum + unreadCount, 0))
  expect(counts.unread).toBeGreaterThan(5)
  expect(counts.open).toBe(findConversations(sampleDataset, { show: 'open' }).length)
  expect(counts.total).toBe(counts.open + findConversations(sampleDataset, { show: 'closed' }).length)
})

describe('search', () => {
  const names = (q: string) =>
    findConversations(sampleDataset, { q }).map(({ contactId }) => sampleDataset.contacts.get(contactId)?.name ?? '')

  test('finds names without regard to case and accents', () => {
    expect(names('PRIYA SHA')).toContain('Priya Sharma')
    expect(names('zoe')).toContain('Zoë 🌸 Flowers')
    expect(names('الفارسي')).toEqual(['محمد الفارسي'])
  })

  test('finds phone numbers however they are written', () => {
    const phone = sampleDataset.contacts.get('contact-7')?.phone ?? ''
    expect(names(phone)).toHaveLength(1)
    expect(names(`${phone.slice(0, 3)} ${phone.slice(3, 8)} ${phone.slice(8)}`)).toEqual(names(phone))
  })

  test('finds what was said in the middle of a thread, read or not', () => {
    const before = names('guard at gate 2')
    expect(before).toEqual(['Rahul Verma'])
    threadOf(sampleDataset, 'conversation-2')
    expect(names('guard at gate 2')).toEqual(before)
    expect(names('nobody says this')).toEqual([])
  })
})

test('a new name and a deleted contact show at once', () => {
  const contact = sampleDataset.contacts.get('contact-1')
  if (!contact) throw new Error('There is no first contact.')
  contact.name = 'Priya S'
  expect(conversationOf(sampleDataset, 'conversation-1')?.contact.name).toBe('Priya S')
  sampleDataset.contacts.delete('contact-1')
  expect(conversationOf(sampleDataset, 'conversation-1')).toBeUndefined()
  expect(inboxCounts(sampleDataset).total).toBe(319)
})

test('a contact without a conversation gets one, an unknown contact none', () => {
  const opened = openConversation(sampleDataset, 'contact-4000', now)
  expect(threadOf(sampleDataset, opened?.id ?? '')).toHaveLength(opened?.history.messages ?? -1)
  const never = openConversation(sampleDataset, 'contact-8200', now)
  expect(never?.history.messages).toBe(0)
  expect(openConversation(sampleDataset, 'contact-0', now)).toBeUndefined()
})

test('there may be none, one, or as many as there are contacts heard of', () => {
  expect(createSampleDataset({ now, records: 0 }).conversations.size).toBe(0)
  expect(createSampleDataset({ now, records: 1 }).conversations.size).toBe(1)
  const many = createSampleDataset({ now, records: 20_000 })
  expect(many.conversations.size).toBe([...many.contacts.values()].filter(({ lastContactAt }) => lastContactAt).length)
  expect(many.threads.size).toBe(0)
})

test('messages name the files of the sample with the sizes that they have', () => {
  const sizes = new Map(mediaFiles().map(({ mediaId, file }) => [mediaId, statSync(file).size]))
  const named = [...sampleDataset.conversations.keys()].flatMap((id) =>
    threadOf(sampleDataset, id).flatMap(({ content }) =>
      'mediaId' in content && content.mediaId !== undefined ? [[content.mediaId, content.sizeBytes] as const] : [],
    ),
  )
  expect(new Map(named)).toEqual(sizes)
})
