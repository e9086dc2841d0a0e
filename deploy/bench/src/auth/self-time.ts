import type { CpuProfile } from './inspector.ts'

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
