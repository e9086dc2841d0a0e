import { expect, test } from 'vitest'
import { createFetchFile } from './fetch-file.ts'
import { HostBusy } from './file-faults.ts'

test('a file does not wait for long at a host that is busy, and others go there afterwards', async () => {
  const held: (() => void)[] = []
  const receive = () => new Promise<never>((_done, refuse) => held.push(() => refuse(new RangeError('it has ended'))))
  const fetchFile = createFetchFile({ receive }, 20)
  const call = () => fetchFile('https://shop.example/a.pdf', { limitBytes: 1, timeoutMs: 1000 }, async () => 1)
  const first = Array.from({ length: 4 }, () => expect(call()).rejects.toThrow(RangeError))
  await expect.poll(() => held.length).toBe(4)
  await expect(call()).rejects.toThrow(HostBusy)
  for (const end of held.splice(0)) end()
  await Promise.all(first)
  const next = expect(call()).rejects.toThrow(RangeError)
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  await next
})
