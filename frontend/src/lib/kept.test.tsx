import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { keep, keepFor, readKept } from './kept.ts'

beforeEach(() => keepFor(undefined))

test('what was typed is there again for the same person, and for nobody else', () => {
  keepFor('asha')
  keep('messages', ['half a thought'])
  keepFor('asha')
  expect(readKept('messages', z.array(z.string()))).toEqual(['half a thought'])
  keepFor('asha-2')
  expect(readKept('messages', z.array(z.string()))).toBeUndefined()
  keepFor('asha')
  expect(readKept('messages', z.array(z.string()))).toBeUndefined()
})

test('the end of the session forgets it, and signed out nothing is kept', () => {
  keepFor('asha')
  keep('messages', ['half a thought'])
  sessionStorage.setItem('other', 'stays')
  keepFor(undefined)
  keep('messages', ['nobody’s'])
  keepFor('asha')
  expect(readKept('messages', z.array(z.string()))).toBeUndefined()
  expect(Object.keys(sessionStorage)).toEqual(['other'])
})

test('what does not fit any more, or cannot be stored, is as if it were absent', () => {
  keepFor('asha')
  keep('messages', 'text')
  expect(readKept('messages', z.number())).toBeUndefined()
  keep('messages', undefined)
  expect(readKept('messages', z.string())).toBeUndefined()
})
