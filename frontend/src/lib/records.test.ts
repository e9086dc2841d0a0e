import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { botKeys } from './query-keys.ts'
import { createRecords } from './records.ts'

interface Thing {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly tags: readonly string[]
}
const thing = (version: number, over: Partial<Thing> = {}): Thing => ({
  id: 'a',
  version,
  name: 'Old',
  tags: [],
  ...over,
})
const other: Thing = { id: 'b', version: 1, name: 'Other', tags: [] }
const listKey = botKeys.list({})

function start(record = thing(1)) {
  const client = new QueryClient()
  const records = createRecords<Thing>(botKeys)
  client.setQueryData(listKey, { items: [record, other], total: 2 })
  client.setQueryData(botKeys.one('a'), record)
  const listed = () => client.getQueryData<{ items: Thing[]; total: number }>(listKey)
  const shown = () => client.getQueryData<Thing>(botKeys.one('a'))
  return { client, records, listed, shown }
}
const named = (name: string) => (record: Thing) => ({ ...record, name })
const tagged = (tag: string) => (record: Thing) => ({ ...record, tags: [...record.tags, tag] })

test('a change shows wherever the record stands, and the answer takes its place', async () => {
  const { client, records, listed, shown } = start()
  const end = await records.begin(client, 'a', named('New'))
  expect(listed()?.items[0]?.name).toBe('New')
  expect(shown()?.name).toBe('New')
  end(thing(2, { name: 'New!' }))
  expect(listed()?.items.map(({ name }) => name)).toEqual(['New!', 'Other'])
})

test('a change that fails takes back itself and nothing that others did meanwhile', async () => {
  const { client, records, shown } = start()
  const failing = await records.begin(client, 'a', named('New'))
  const going = await records.begin(client, 'a', tagged('vip'))
  records.receive(client, thing(2, { tags: ['by Ann'] }))
  failing('failed')
  expect(shown()).toEqual(thing(2, { tags: ['by Ann', 'vip'] }))
  going(thing(3, { tags: ['by Ann', 'vip'] }))
  expect(shown()).toEqual(thing(3, { tags: ['by Ann', 'vip'] }))
})

test('an event never takes back what a person is still doing', async () => {
  const { client, records, shown } = start()
  await records.begin(client, 'a', named('Mine'))
  records.receive(client, thing(2, { name: 'Theirs', tags: ['new'] }))
  expect(shown()).toEqual(thing(2, { name: 'Mine', tags: ['new'] }))
})

test('an answer never takes back what an event brought, neither of a change nor of a read', async () => {
  const { client, records, shown, listed } = start()
  const end = await records.begin(client, 'a', named('Mine'))
  records.receive(client, thing(3, { name: 'Theirs later' }))
  end(thing(2, { name: 'Mine' }))
  expect(shown()?.name).toBe('Theirs later')
  client.setQueryData(listKey, records.readPage(client, { items: [thing(1), other], total: 2 }))
  expect(listed()?.items[0]?.name).toBe('Theirs later')
})

test('a read that arrives during a change shows the change', async () => {
  const { client, records } = start()
  const end = await records.begin(client, 'a', named('Mine'))
  expect(records.read(client, thing(1))?.name).toBe('Mine')
  end('failed')
  expect(records.read(client, thing(1))?.name).toBe('Old')
})

test('a read that is under way when a change begins is cancelled', async () => {
  const { client, records, listed } = start()
  const late = Promise.withResolvers<{ items: Thing[]; total: number }>()
  const reading = client.fetchQuery({ queryKey: listKey, queryFn: () => late.promise, staleTime: 0 }).catch(() => {})
  const end = await records.begin(client, 'a', () => undefined)
  late.resolve({ items: [thing(1), other], total: 2 })
  await reading
  expect(listed()?.items).toEqual([other])
  end('failed')
})

test('what is deleted leaves the lists, and is back in its place if that fails', async () => {
  const { client, records, listed } = start()
  const end = await records.begin(client, 'a', () => undefined)
  expect(listed()).toEqual({ items: [other], total: 1 })
  expect(records.readPage(client, { items: [thing(1), other] }).items).toEqual([other])
  end('failed')
  expect(listed()).toEqual({ items: [thing(1), other], total: 2 })
})

test('a change that was carried out stays although the answer held no record', async () => {
  const { client, records, listed } = start()
  const renamed = await records.begin(client, 'a', named('New'))
  renamed('kept')
  expect(listed()?.items[0]?.name).toBe('New')
  const removed = await records.begin(client, 'a', () => undefined)
  removed('kept')
  expect(listed()).toEqual({ items: [other], total: 1 })
})

test('a removal by event outlasts an older read, and a newer version brings the record back', () => {
  const { client, records, listed } = start()
  records.receiveRemoval(client, thing(2))
  expect(listed()?.items).toEqual([other])
  expect(records.read(client, thing(1))).toBeUndefined()
  records.receive(client, thing(3, { name: 'Restored' }))
  expect(listed()?.items[0]?.name).toBe('Restored')
})

test('lists of many pages are changed in the page where the record stands', async () => {
  const { client, records } = start()
  const pages = [{ items: [other] }, { items: [thing(1)] }]
  client.setQueryData(listKey, { pages, pageParams: [0, 1] })
  const end = await records.begin(client, 'a', () => undefined)
  expect(client.getQueryData(listKey)).toEqual({ pages: [{ items: [other] }, { items: [] }], pageParams: [0, 1] })
  end('failed')
  expect(client.getQueryData(listKey)).toEqual({ pages, pageParams: [0, 1] })
})

test('a list that is read for the first time while something is changed is read once that has ended', async () => {
  const { client, records } = start()
  let reads = 0
  const queryKey = botKeys.list({ q: 'new' })
  const answers = [new Promise<never>(() => {}), Promise.resolve({ items: [other], total: 1 })]
  const observer = new QueryObserver(client, { queryKey, queryFn: () => answers[reads++] })
  const stop = observer.subscribe(() => {})
  const end = await records.begin(client, 'a', named('New'))
  end(thing(2, { name: 'New' }))
  await expect.poll(() => client.getQueryData(queryKey)).toEqual({ items: [other], total: 1 })
  stop()
})
