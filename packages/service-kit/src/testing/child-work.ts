import type { OpenSource } from '../core/run-in-child.ts'

interface Input {
  readonly how: 'count' | 'throw' | 'objects' | 'buffers' | 'loop' | 'end' | 'environment'
}

/** Work of tests: one way of going well, and the ways of going wrong. */
export default async function work({ how }: Input, open: OpenSource): Promise<unknown> {
  if (how === 'throw') throw new RangeError('not a table')
  if (how === 'end') process.exit(3)
  if (how === 'environment') return Object.keys(process.env)
  const kept: unknown[] = []
  while (how === 'objects') kept.push({ place: kept.length, text: [kept.length] })
  while (how === 'buffers') {
    kept.push(Buffer.alloc(4 * 1024 * 1024, 1))
    await new Promise((resolve) => setImmediate(resolve))
  }
  while (how === 'loop');
  let [all, part] = [0, 0]
  for await (const piece of open()) all += piece.length
  for await (const piece of open({ start: 2, end: 4 })) part += piece.length
  for await (const _ of open()) break
  return { all, part }
}
