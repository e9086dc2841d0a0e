import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const messageSchema = z.object({ id: z.number().optional(), result: z.unknown() })
const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() }))

/** Sampled stacks of the V8 profiler, as much of them as is used here. Times are microseconds. */
const cpuProfileSchema = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string(), url: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
type CpuProfile = z.infer<typeof cpuProfileSchema>

/**
 * Looks into a running Node process, whose inspector is opened only now, so that measured rounds ran without it.
 * @param port its `--inspect-port`.
 */
export async function inspectProcess(pid: number, port: number) {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await debuggerUrl(port))
  await once(socket, 'open')
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
    /** Where the time went while `work` ran: {@link selfTime}. */
    async selfTimeWhile(work: () => Promise<unknown>): Promise<Map<string, number>> {
      await call('Profiler.enable')
      await call('Profiler.setSamplingInterval', { interval: 500 })
      await call('Profiler.start')
      await work()
      return selfTime(z.object({ profile: cpuProfileSchema }).parse(await call('Profiler.stop')).profile)
    },
    close: () => socket.close(),
  }
}

async function debuggerUrl(port: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
    const [target] = answer ? targetsSchema.parse(await answer.json()) : []
    if (target) return target.webSocketDebuggerUrl
    await delay(50)
  }
}

/** A file of the profile by what a person calls it: `express`, `node:http`, `bff/session/session-store`, `(idle)`. */
export function moduleOf(functionName: string, url: string): string {
  const dependency = url.split('/node_modules/').at(-1)
  if (url.includes('/node_modules/') && dependency)
    return dependency.split('/', dependency.startsWith('@') ? 2 : 1).join('/')
  const own = /\/(bff|packages|services)\/(.+)\.ts$/.exec(url)
  if (own) return `${own[1]}/${own[2]?.replace('src/', '')}`
  if (url.startsWith('node:')) return url.replace('node:internal/', 'node:').split('/')[0] ?? url
  return functionName.startsWith('(') ? functionName : `(native) ${functionName}`
}

/** Self time by module, as a share of the time in which the process was not idle. */
export function selfTime({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map<string, number>()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    if (!frame || frame.functionName === '(idle)') continue
    const time = timeDeltas[index] ?? 0
    const module = moduleOf(frame.functionName, frame.url)
    times.set(module, (times.get(module) ?? 0) + time)
    busy += time
  }
  return new Map([...times].map(([module, time]) => [module, time / busy]))
}
