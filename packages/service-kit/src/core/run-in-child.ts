import { type ChildProcess, fork } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { errors } from './errors.ts'

/** Reads a file from its beginning, or a range of its bytes, `end` among them. */
export type OpenSource = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>

/** The default export of a module that runs in a child process. It has no network address, secret or database of ours. */
export type ChildWork = (input: never, open: OpenSource) => Promise<unknown>

export interface ChildTask<Output> {
  /** The module whose default export is the {@link ChildWork}, e.g. `new URL('./decode.child.ts', import.meta.url)`. */
  readonly module: URL
  /** Any value that the structured clone algorithm can copy. */
  readonly input: unknown
  /** Schema of the child's answer. */
  readonly output: z.ZodType<Output>
  /** Source that the child may read, by {@link OpenSource}; its errors are thrown as they are. */
  readonly source?: OpenSource
  /** Memory of the whole child process, Node's own 50 to 90 MiB among it. JavaScript objects may take half of it. */
  readonly maxMemoryMib: number
  /** Limit from the child's start to its answer, however busy the machine is. */
  readonly timeoutMs: number
  /** Limit of processor time until its answer, where Linux reports it; on an idle machine it is reached before the timeout. */
  readonly maxCpuMs?: number
  /** Lets the child load native modules. */
  readonly withAddons?: boolean
}

/** Reason why there is no answer. `thrown`: by the work itself; name and message are the error's. */
export class ChildFailure extends Error {
  override readonly name = 'ChildFailure'
  readonly reason: 'memory' | 'timeout' | 'ended' | 'thrown'
  readonly thrownName: string
  constructor(reason: ChildFailure['reason'], thrown: { name: string; message: string } = { name: '', message: '' }) {
    super(reason === 'thrown' ? thrown.message : `the child process has failed: ${reason}`)
    this.reason = reason
    this.thrownName = thrown.name
  }
}

const maxOpenReaders = 16
/** Maximum children at once: a process that serves others has room for one beside it. */
const maxAtOnce = 1
/** Maximum tasks that wait, each for at most as many timeouts. */
const maxWaiting = 8
const usageCheckMs = 50
/** Unit of Linux's processor times, which is the same on every machine that Node runs on. */
const tickMs = 10

const messageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    reader: z.number(),
    range: z.object({ start: z.number().int().nonnegative(), end: z.number().int() }).optional(),
  }),
  z.object({ kind: z.enum(['next', 'close']), reader: z.number() }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), name: z.string(), message: z.string() }),
])

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs work on untrusted input where its failure affects no one else: in a process of its own with a limit of memory and time,
 * without environment, writable files or further processes. One runs at a time, a few wait.
 * @throws ChildFailure; `rate_limited` where too many wait; what `source` throws.
 */
export async function runInChild<Output>(task: ChildTask<Output>): Promise<Output> {
  if (running >= maxAtOnce) {
    if (waiting.length >= maxWaiting) throw errors.rateLimited(5, 'Too many files are being read. Try again shortly.')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await answerOf(task)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

async function answerOf<Output>({ module, input, output, source, ...limits }: ChildTask<Output>): Promise<Output> {
  const child = start(limits)
  const readers = new Map<number, AsyncIterator<Uint8Array>>()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()

  async function handle(received: unknown): Promise<void> {
    const message = messageSchema.parse(received)
    if (message.kind === 'done') return resolve(message.value)
    if (message.kind === 'failed') throw new ChildFailure('thrown', message)
    const { reader } = message
    if (message.kind === 'open') {
      if (!source || readers.size >= maxOpenReaders) throw new ChildFailure('ended')
      readers.set(reader, source(message.range)[Symbol.asyncIterator]())
    } else if (message.kind === 'next') {
      const read = await readers.get(reader)?.next()
      if (!read || read.done) readers.delete(reader)
      if (child.connected) child.send({ reader, piece: read && !read.done ? read.value : null })
    } else {
      const closed = readers.get(reader)
      readers.delete(reader)
      await closed?.return?.()
    }
  }

  child.on('message', (message) => void handle(message).catch(reject))
  child.once('error', reject)
  // Node ends in this way when its heap is full.
  child.once('exit', (code, signal) =>
    reject(new ChildFailure(signal === 'SIGABRT' || code === 134 ? 'memory' : 'ended')),
  )
  const timer = setTimeout(() => reject(new ChildFailure('timeout')), limits.timeoutMs)
  const usage = setInterval(() => {
    void usageOf(child).then(({ memoryMib, cpuMs }) => {
      if (memoryMib > limits.maxMemoryMib) reject(new ChildFailure('memory'))
      if (cpuMs > (limits.maxCpuMs ?? limits.timeoutMs)) reject(new ChildFailure('timeout'))
    })
  }, usageCheckMs)
  try {
    child.send({ module: module.href, input })
    return output.parse(await promise)
  } finally {
    clearTimeout(timer)
    clearInterval(usage)
    child.kill('SIGKILL')
    await Promise.allSettled([...readers.values()].map((reader) => reader.return?.()))
  }
}

function start({ maxMemoryMib, withAddons = false }: Pick<ChildTask<unknown>, 'maxMemoryMib' | 'withAddons'>) {
  const child = fork(new URL('./run-in-child.process.ts', import.meta.url), [], {
    // The heap has an exact limit of its own; the memory of the whole process is checked here.
    execArgv: [
      `--max-old-space-size=${Math.floor(maxMemoryMib / 2)}`,
      '--max-semi-space-size=8',
      '--permission',
      '--allow-fs-read=*',
      ...(withAddons ? ['--allow-addons'] : []),
    ],
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  // Linux kills the child first where the machine itself runs out of memory.
  void writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined)
  return child
}

/** Buffers lie beside the heap, whose limit does not count them. Linux tells; elsewhere heap and timeout are the only limits. */
async function usageOf({ pid }: ChildProcess): Promise<{ memoryMib: number; cpuMs: number }> {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')),
  )
  const kib = Number(/^VmRSS:\s*(\d+) kB/m.exec(status ?? '')?.[1] ?? 0)
  // The name in brackets may hold anything; user and system time are the 12th and 13th field after it.
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
  return { memoryMib: kib / 1024, cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs }
}
