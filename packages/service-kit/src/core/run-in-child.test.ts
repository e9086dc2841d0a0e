import { expect, test } from 'vitest'
import { z } from 'zod'
import { ChildFailure, type OpenSource, runInChild } from './run-in-child.ts'

const bytes = Buffer.from('0123456789')
const source: OpenSource = async function* ({ start, end } = { start: 0, end: 9 }) {
  for (let at = start; at <= end; at += 3) yield bytes.subarray(at, Math.min(at + 3, end + 1))
}

const run = (
  how: string,
  more: { source?: OpenSource; timeoutMs?: number; maxCpuMs?: number; output?: z.ZodType } = {},
) =>
  runInChild({
    module: new URL('../testing/child-work.ts', import.meta.url),
    input: { how },
    output: z.unknown(),
    source,
    maxMemoryMib: 192,
    timeoutMs: 120_000,
    ...more,
  })

test('the child reads its source by ranges and answers', async () => {
  expect(await run('count')).toEqual({ all: 10, part: 3 })
})

test('it knows nothing of the environment but what it needs', async () => {
  expect(await run('environment')).not.toContain('PATH')
})

test.each([
  ['throw', { reason: 'thrown', thrownName: 'RangeError', message: 'not a table' }],
  ['end', { reason: 'ended' }],
  ['objects', { reason: 'memory' }],
  ['buffers', { reason: 'memory' }],
])('work that fails by %s fails alone, and the next one runs', async (how, failure) => {
  await expect(run(how)).rejects.toMatchObject(failure)
  expect(await run('count')).toEqual({ all: 10, part: 3 })
})

test.each([
  ['time', { timeoutMs: 1000 }],
  ['work', { maxCpuMs: 1000 }],
])('work that does not end is ended by its limit of %s', async (_, limit) => {
  const failure = await run('loop', { timeoutMs: 600_000, ...limit }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ChildFailure)
  expect(failure).toMatchObject({ reason: 'timeout' })
})

test("an error of the source is thrown as it is, an answer of another shape is the schema's", async () => {
  const away: OpenSource = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('store is away')) }),
  })
  await expect(run('count', { source: away })).rejects.toThrow('store is away')
  await expect(run('count', { output: z.string() })).rejects.toBeInstanceOf(z.ZodError)
})

test('a few wait for each other, and one more is asked to come again', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => run('end')))
  const reasons = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined))
  expect(reasons.at(-1)).toMatchObject({ code: 'rate_limited' })
  expect(reasons.slice(0, -1).map(({ reason }) => reason)).toEqual(Array.from({ length: 9 }, () => 'ended'))
  // Ten processes, one after the other.
}, 600_000)
