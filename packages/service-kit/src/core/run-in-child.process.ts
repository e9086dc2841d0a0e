import { z } from 'zod'
import type { ChildWork, OpenSource } from './run-in-child.ts'

/** The child process of `runInChild`: loads one module, runs it once, and asks its parent for what it reads. */
const pieceSchema = z.object({ reader: z.number(), piece: z.instanceof(Uint8Array).nullable() })
const isWork = (value: unknown): value is ChildWork => typeof value === 'function'

let lastReader = 0
const awaited = new Map<number, (piece: Uint8Array | null) => void>()
const send = (message: object) => process.send?.(message)

const open: OpenSource = async function* (range) {
  lastReader += 1
  const reader = lastReader
  send({ kind: 'open', reader, ...(range && { range }) })
  let isAtEnd = false
  try {
    while (!isAtEnd) {
      const piece = await new Promise<Uint8Array | null>((resolve) => {
        awaited.set(reader, resolve)
        send({ kind: 'next', reader })
      })
      if (piece) yield piece
      else isAtEnd = true
    }
  } finally {
    if (!isAtEnd) send({ kind: 'close', reader })
  }
}

async function run({ module, input }: { module: string; input: unknown }): Promise<void> {
  try {
    const { default: work } = z.object({ default: z.custom<ChildWork>(isWork) }).parse(await import(module))
    send({ kind: 'done', value: await work(input as never, open) })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    send({ kind: 'failed', name, message })
  }
}

process.on('message', (message) => {
  const answer = pieceSchema.safeParse(message)
  if (!answer.success) return void run(z.object({ module: z.string(), input: z.unknown() }).parse(message))
  const { reader, piece } = answer.data
  const resolve = awaited.get(reader)
  awaited.delete(reader)
  resolve?.(piece)
})
// The parent no longer waits for an answer.
process.on('disconnect', () => process.exit())
