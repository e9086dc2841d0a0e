import { expect, test } from 'vitest'
import { createRest } from './rest.ts'

test('work in hand ends, and the next waits for the end of the rest', async () => {
  const rest = createRest()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const inHand = rest.run(async () => {
    await first.promise
    done.push('first')
  })
  rest.begin()
  rest.begin()
  const waiting = rest.run(async () => void done.push('second'))
  expect(rest.isStill()).toBe(false)
  first.resolve()
  await inHand
  expect([rest.isStill(), done]).toEqual([true, ['first']])
  rest.end()
  await waiting
  expect([rest.isStill(), done]).toEqual([false, ['first', 'second']])
})

test('work that fails is not in hand any more', async () => {
  const rest = createRest()
  await expect(rest.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  rest.begin()
  expect(rest.isStill()).toBe(true)
})

test('what is done again and again is left out meanwhile', async () => {
  const rest = createRest()
  expect(await rest.whenAwake(async () => 1)).toBe(1)
  rest.begin()
  expect(await rest.whenAwake(async () => 1)).toBeUndefined()
  rest.end()
  expect(await rest.whenAwake(async () => 2)).toBe(2)
})

test('nothing is looked for before there is a database', async () => {
  const rest = createRest()
  let isOpen = false
  rest.lookWhile(() => isOpen)
  expect(await rest.whenAwake(async () => 1)).toBeUndefined()
  isOpen = true
  expect(await rest.whenAwake(async () => 1)).toBe(1)
})

test('work of a workspace that has left meanwhile is left out', async () => {
  const rest = createRest()
  const gone = new Set<string>()
  rest.leaveOut(async (workspaceId) => gone.has(workspaceId))
  const done: string[] = []
  rest.begin()
  const waiting = ['gone', 'here'].map((id) => rest.runOf(id, async () => void done.push(id)))
  gone.add('gone')
  rest.end()
  await Promise.all(waiting)
  expect(done).toEqual(['here'])
})
