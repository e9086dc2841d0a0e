import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { readSessionValue, setStorageOwner, writeSessionValue } from './session-storage.ts'

beforeEach(() => setStorageOwner(undefined))

test('what was typed is there again for the same person, and for nobody else', () => {
  setStorageOwner('asha')
  writeSessionValue('messages', ['half a thought'])
  setStorageOwner('asha')
  expect(readSessionValue('messages', z.array(z.string()))).toEqual(['half a thought'])
  setStorageOwner('asha-2')
  expect(readSessionValue('messages', z.array(z.string()))).toBeUndefined()
  setStorageOwner('asha')
  expect(readSessionValue('messages', z.array(z.string()))).toBeUndefined()
})

test('the end of the session forgets it, and signed out nothing is kept', () => {
  setStorageOwner('asha')
  writeSessionValue('messages', ['half a thought'])
  sessionStorage.setItem('other', 'stays')
  setStorageOwner(undefined)
  writeSessionValue('messages', ['nobody’s'])
  setStorageOwner('asha')
  expect(readSessionValue('messages', z.array(z.string()))).toBeUndefined()
  expect(Object.keys(sessionStorage)).toEqual(['other'])
})

test('what does not fit any more, or cannot be stored, is as if it were absent', () => {
  setStorageOwner('asha')
  writeSessionValue('messages', 'text')
  expect(readSessionValue('messages', z.number())).toBeUndefined()
  writeSessionValue('messages', undefined)
  expect(readSessionValue('messages', z.string())).toBeUndefined()
})
