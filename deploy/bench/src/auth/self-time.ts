import type { CpuProfile } from './inspector.ts'

/** A file of the profile by what a person calls it: `express`, `node:http`, `bff/session/session-store`, `(idle)`. */
export function moduleOf(functionName: string, url: string): string {
  const dependency = url.split('/node_modules/').at(-1)
  if (url.includes('/node_modules/') && dependency)
    return dependency.split('/', dependency.startsWith('@') ? 2 : 1).join('/')
  const own = /\/(bff|packages|services)\/(.+)\.ts$/.exec(url)
  if (own) return `${own[1]}/${own[2]?.replace('src/', '')}`
  if (url.startsWith('node:')) return url.replace('node:internal/', 'node:').split('/')[0] ?? url
<<<<<<< HEAD
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
=======
  return functionName.startsWith('(') ? functionName : '(native)'
}

export interface SelfTime {
  readonly module: string
  /** Of the time in which the process was not idle. */
  readonly share: number
  /** The functions in which most of it was spent. */
  readonly functions: readonly string[]
}

/** Self time by module, most first. */
export function selfTime({ nodes, samples, timeDeltas }: CpuProfile): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const modules = new Map<string, { time: number; functions: Map<string, number> }>()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    const time = timeDeltas[index] ?? 0
    if (!frame || frame.functionName === '(idle)') continue
    busy += time
    const name = moduleOf(frame.functionName, frame.url)
    const entry = modules.get(name) ?? { time: 0, functions: new Map<string, number>() }
    entry.time += time
    entry.functions.set(frame.functionName, (entry.functions.get(frame.functionName) ?? 0) + time)
    modules.set(name, entry)
  }
  return [...modules]
    .sort(([, a], [, b]) => b.time - a.time)
    .map(([module, { time, functions }]) => ({
      module,
      share: time / busy,
      functions: [...functions]
        .sort(([, a], [, b]) => b - a)
        .slice(0, 3)
        .map(([name, spent]) => `${name || '(anonymous)'} ${((spent / busy) * 100).toFixed(1)}`),
    }))
>>>>>>> a09bb35 (feat(bench): what a signed-in request costs beside other proxies)
}
