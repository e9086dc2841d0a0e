import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'

const messageSchema = z.object({ id: z.number().optional(), result: z.unknown(), error: z.unknown().optional() })
const urlPattern = /Debugger listening on (ws:\S+)/

/** Sampled stacks of the V8 profiler, as much of them as is used here. Times are microseconds. */
const cpuProfileSchema = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string(), url: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
export type CpuProfile = z.infer<typeof cpuProfileSchema>

/** Looks into a running Node process (its inspector is opened only now, so that measured rounds ran without it). */
export async function inspectProcess(child: ChildProcess) {
  const socket = new WebSocket(await openInspector(child))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = messageSchema.parse(JSON.parse(String(data)))
    if (id !== undefined) waiting.get(id)?.(result)
  })
  let last = 0
  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })

  return {
    /** Bytes in use after a full collection. */
    async heapBytes(): Promise<number> {
      await call('HeapProfiler.collectGarbage')
      return z.object({ usedSize: z.number() }).parse(await call('Runtime.getHeapUsage')).usedSize
    },
    /** Where the time went while `work` ran. */
    async profileWhile(work: () => Promise<unknown>): Promise<CpuProfile> {
      await call('Profiler.enable')
      await call('Profiler.setSamplingInterval', { interval: 500 })
      await call('Profiler.start')
      await work()
      const stopped = z.object({ profile: cpuProfileSchema }).parse(await call('Profiler.stop'))
      return stopped.profile
    },
    close: () => socket.close(),
  }
}

const opened = new WeakMap<ChildProcess, Promise<string>>()

/** SIGUSR1 opens the inspector of a Node process, which tells its address on stderr: the first time only. */
function openInspector(child: ChildProcess): Promise<string> {
  const known = opened.get(child)
  if (known) return known
  const address = new Promise<string>((resolve) => {
    let text = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk
      const url = urlPattern.exec(text)?.[1]
      if (url) resolve(url)
    })
  })
  opened.set(child, address)
  child.kill('SIGUSR1')
  return address
}
