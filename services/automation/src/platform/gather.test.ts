import { expect, test } from 'vitest'
import { gather } from '../modules/runs/commit-runs.ts'

test('what comes while work of its key is under way is done together, in its order; another key does not wait', async () => {
  const done: string[] = []
  const held = Promise.withResolvers<void>()
  const add = gather(async (key: string, items: readonly number[]) => {
    done.push(`${key}:${items.join()}`)
    if (key === 'a' && items.includes(1)) await held.promise
    return items.length
  })
  const first = add('a', 1)
  await expect.poll(() => done).toEqual(['a:1'])
  const rest = [add('a', 2), add('a', 3)]
  expect(await add('b', 4)).toBe(1)
  expect(done).toEqual(['a:1', 'b:4'])
  held.resolve()
  expect(await Promise.all([first, ...rest])).toEqual([1, 2, 2])
  expect(done).toEqual(['a:1', 'b:4', 'a:2,3'])
})

test('work that fails fails for its own items alone', async () => {
  const held = Promise.withResolvers<void>()
  const add = gather(async (_key: string, items: readonly number[]) => {
    await held.promise
    if (items.includes(1)) throw new Error('away')
    return 'done'
  })
  const first = add('a', 1)
  await new Promise((resolve) => setImmediate(resolve))
  const second = add('a', 2)
  held.resolve()
  await expect(first).rejects.toThrow('away')
  expect(await second).toBe('done')
})
