import { expect, test } from 'vitest'
import { commit, redo, startHistory, undo } from './use-flow-draft.ts'

test('every change can be undone and redone; a new change ends what could be redone', () => {
  const three = commit(commit(startHistory('a'), 'b'), 'c')
  const back = undo(undo(three))
  expect([back.present, redo(back).present, redo(redo(back)).present]).toEqual(['a', 'b', 'c'])
  const other = commit(back, 'd')
  expect([other.future, redo(other).present, undo(other).present]).toEqual([[], 'd', 'a'])
  expect(undo(startHistory('a')).present).toBe('a')
})

test('typing in one field is undone at once, and an undo parts it', () => {
  const typed = commit(commit(commit(startHistory('a'), 'ab', 'text'), 'abc', 'text'), 'abcd', 'other')
  expect([undo(typed).present, undo(undo(typed)).present]).toEqual(['abc', 'a'])
  expect(undo(commit(undo(typed), 'x', 'other')).present).toBe('abc')
})
