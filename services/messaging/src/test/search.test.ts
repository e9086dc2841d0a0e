import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const writes = (from: string, body: string) =>
  parley.simulator.call('/inbound', { from, name: 'Asha Rao', type: 'text', text: { body } })
const search = async (q: string, rest = '', by = ann) =>
  (await by.call('GET', `/api/messages/search?q=${encodeURIComponent(q)}${rest}`)).body
const texts = async (q: string, rest = '', by = ann): Promise<string[]> =>
  (await search(q, rest, by)).items.map(
    ({ message }: { message: { content: { text: string } } }) => message.content.text,
  )
const conversationOf = async (phone: string): Promise<Conversation> =>
  (await ann.call('GET', `/api/conversations?q=${phone}`)).body.items[0]

test('messages are found by whole words without accents, all of them, the newest first, notes too', async () => {
  await writes('919812340021', 'The café opens at nine')
  await eventually(async () => expect(await texts('cafe')).toHaveLength(1))
  await writes('919812340022', 'Is the CAFÉ open? I am at nine doors')
  await eventually(async () => expect(await texts('cafe')).toHaveLength(2))
  expect(await texts('cafe')).toEqual(['Is the CAFÉ open? I am at nine doors', 'The café opens at nine'])
  expect(await texts('nine cafe open')).toEqual(['Is the CAFÉ open? I am at nine doors'])
  expect(await texts('caf')).toEqual([])
  expect(await texts('👍 !')).toEqual([])
  const { id } = await conversationOf('919812340021')
  await ann.call('POST', `/api/conversations/${id}/notes`, { text: 'Prefers the terrace' })
  await eventually(async () => expect(await texts('terrace')).toEqual(['Prefers the terrace']))
  const [hit] = (await search('terrace')).items
  expect(hit.conversation).toEqual({ id, status: 'open', contact: expect.objectContaining({ name: 'Asha Rao' }) })
})

test('a search in one conversation finds nothing of the others', async () => {
  const one = await conversationOf('919812340021')
  expect(await texts('cafe', `&conversation=${one.id}`)).toEqual(['The café opens at nine'])
  expect((await search('cafe', `&conversation=${'f'.repeat(24)}`)).code).toBe('not_found')
})

test('pages lead on to the end, and say how far back they came', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => writes('919812340023', `zebra number ${index}`)))
  const conversation = await eventually(async () => {
    const found = await conversationOf('919812340023')
    expect(found?.history.messages).toBe(30)
    return found
  })
  // A page ends early where its time is up, which a busy machine makes likely.
  const pagesOf = async (q: string, rest: string) => {
    const pages = [await search(q, rest)]
    for (let last = pages[0]; last.nextCursor; last = pages.at(-1))
      pages.push(await search(q, `${rest}&cursor=${last.nextCursor}`))
    return pages
  }
  const idsOf = (pages: Awaited<ReturnType<typeof pagesOf>>) =>
    pages.flatMap(({ items }) => items.map(({ message }: { message: { id: string } }) => message.id))
  await eventually(async () => expect(idsOf(await pagesOf('zebra', ''))).toHaveLength(30))
  for (const [q, rest] of [
    ['zebra', ''],
    ['number zebra', ''],
    ['zebra', `&conversation=${conversation.id}`],
  ] as const) {
    const pages = await pagesOf(q, rest)
    const [first] = pages
    expect(pages.length).toBeGreaterThan(1)
    expect(first.items.length).toBeLessThanOrEqual(25)
    if (first.items.length === 25) expect(first.searchedTo).toBe(first.items.at(-1).message.sentAt)
    expect(pages.at(-1)).toMatchObject({ nextCursor: null, searchedTo: null })
    const ids = idsOf(pages)
    expect([ids.length, new Set(ids).size]).toEqual([30, 30])
    expect((await search('cafe', `${rest}&cursor=${first.nextCursor}`)).code).toBe('validation_failed')
  }
})

test('a deleted message is found no more, and an edited one by its new words', async () => {
  const { id: edited } = await writes('919812340024', 'the parcel is lost')
  const { id: deleted } = await writes('919812340024', 'a parcel full of secrets')
  await eventually(async () => expect(await texts('parcel')).toHaveLength(2))
  await parley.simulator.call('/edit', { wamid: edited, body: 'the parcel has arrived' })
  await parley.simulator.call('/revoke', { wamid: deleted })
  await eventually(async () => expect(await texts('parcel')).toEqual(['the parcel has arrived']))
  await eventually(async () => expect(await texts('lost')).toEqual([]))
  await eventually(async () => {
    const left = await parley.database.connection
      .collection('messageSearch')
      .countDocuments({ ...parley.inWorkspace, words: 'secrets' })
    expect(left).toBe(0)
  })
})

test('a workspace finds nothing of another one', async () => {
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await texts('cafe', '', eve)).toEqual([])
  const one = await conversationOf('919812340021')
  expect((await search('cafe', `&conversation=${one.id}`, eve)).code).toBe('not_found')
})

test('searches have their index', async () => {
  const one = await conversationOf('919812340021')
  await expectIndexed(parley.database.connection, async () => {
    await texts('cafe')
    await texts('cafe nine')
    await texts('cafe', `&conversation=${one.id}`)
  })
})
