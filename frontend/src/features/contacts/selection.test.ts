import { expect, test } from 'vitest'
import { everything, nothing, pageState, pickedCount, selectionOf, toggle, togglePage } from './selection.ts'

const page = ['a', 'b', 'c', 'd', 'e']
const idsOf = (picked: ReturnType<typeof toggle>) => (picked.kind === 'ids' ? [...picked.ids].sort().join('') : 'all')

test('a range gets the state of its last end, in both directions', () => {
  const two = toggle(toggle(nothing, page, 'b'), page, 'd', true)
  expect(idsOf(two)).toBe('bcd')
  expect(idsOf(toggle(two, page, 'b', true))).toBe('')
  expect(idsOf(toggle(toggle(nothing, page, 'e'), page, 'c', true))).toBe('cde')
})

test('a range whose start is on another page takes the one contact', () => {
  expect(idsOf(toggle(toggle(nothing, page, 'z'), page, 'b', true))).toBe('bz')
})

test('the page is selected and cleared as a whole; other pages keep theirs', () => {
  const other = toggle(nothing, page, 'z')
  const all = togglePage(other, page)
  expect([idsOf(all), pageState(all, page)]).toEqual(['abcdez', 'all'])
  expect(idsOf(togglePage(all, page))).toBe('z')
  expect(pageState(toggle(nothing, page, 'b'), page)).toBe('some')
})

test('everything counts as the total, and one turned off leaves the rest of its page', () => {
  expect(pickedCount(everything, 8234)).toBe(8234)
  expect(selectionOf(everything, { q: 'vip' })).toEqual({ filter: { q: 'vip' } })
  expect(idsOf(toggle(everything, page, 'b'))).toBe('acde')
  expect(togglePage(everything, page)).toBe(nothing)
})
