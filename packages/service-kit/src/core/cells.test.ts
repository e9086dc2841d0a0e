import { expect, test } from 'vitest'
import { z } from 'zod'
import { cellsConfigShape, inCell, oneCell, placeWorkspace } from './cells.ts'
import { parseConfig } from './config.ts'

const schema = z.object(cellsConfigShape)
const read = (cells: unknown) => parseConfig(schema, { CELLS: JSON.stringify(cells) }).CELLS ?? oneCell
const west = { messaging: 'http://m-west:3000/', automation: 'http://a-west:3000' }

test('nothing is configured: there is one cell', () => {
  expect(parseConfig(schema, {})).toEqual({})
  expect(placeWorkspace(oneCell)).toBeUndefined()
})

test('cells have addresses and weights', () => {
  const { urls, weights } = read({ west, east: { ...west, weight: 3 } })
  expect(urls.get('west')).toEqual({ messaging: 'http://m-west:3000', automation: 'http://a-west:3000' })
  expect([...weights]).toEqual([
    ['home', 1],
    ['west', 1],
    ['east', 3],
  ])
})

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['a cell without automation', JSON.stringify({ west: { messaging: 'http://m' } })],
  ['an address of the home cell', JSON.stringify({ home: west })],
  ['a name in capitals', JSON.stringify({ West: west })],
  ['a weight below 0', JSON.stringify({ west: { ...west, weight: -1 } })],
  ['something else beside', JSON.stringify({ west: { ...west, closed: true } })],
])('%s is refused by its name', (_what, CELLS) => {
  expect(() => parseConfig(schema, { CELLS })).toThrow(/CELLS: /)
})

test('a closed cell gets no workspace, and the home cell may be closed', () => {
  const placed = (cells: unknown) => new Set(Array.from({ length: 200 }, () => placeWorkspace(read(cells))))
  expect(placed({ west: { ...west, weight: 0 } })).toEqual(new Set([undefined]))
  expect(placed({ home: { weight: 0 }, west })).toEqual(new Set(['west']))
  expect(placed({ home: { weight: 0 }, west: { ...west, weight: 0 } })).toEqual(new Set([undefined]))
  expect(placed({ west })).toEqual(new Set([undefined, 'west']))
})

test('what belongs to an unknown cell goes nowhere', () => {
  const others = new Map([['west', 2]])
  expect([inCell(undefined, 1, others), inCell('home', 1, others), inCell('west', 1, others)]).toEqual([1, 1, 2])
  expect(() => inCell('east', 1, others)).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
})
