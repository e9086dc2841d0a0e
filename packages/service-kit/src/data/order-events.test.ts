import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { orderEvents } from './sequencer.ts'

const event = (name: string, at: number, record: { recordId?: string; version?: number } = {}) => ({
  name,
  _id: new Types.ObjectId(),
  at: new Date(at),
  ...record,
})
const namesOf = (events: readonly { name: string }[]) => orderEvents(events as never[]).map(({ name }) => name)

test('events are ordered by the time at their source, then by id', () => {
  expect(namesOf([event('b', 2), event('a', 1), event('c', 2)])).toEqual(['a', 'b', 'c'])
})

test('events of one record keep the order of its versions, whatever the clocks said', () => {
  const second = event('second', 1, { recordId: 'x', version: 2 })
  const first = event('first', 3, { recordId: 'x', version: 1 })
  const other = event('other', 2, { recordId: 'y', version: 9 })
  expect(namesOf([second, other, first])).toEqual(['first', 'other', 'second'])
})
