import { parseArgs } from 'node:util'
import { withCleanUp } from '../program.ts'
import { loadNow, log, table } from '../report.ts'
import type { Work } from '../work/work.ts'
import { measurePoint, type Point } from './measure-point.ts'

/**
 * `npm run bench -- scale`: what a message that arrives, one that leaves and a page of a list take of MongoDB, Redis and the journal as
 * stored messages, workspaces and workers grow, each beside the smallest. Counts, which other work on the machine does not change.
 * `--short` proves that the bench itself works; `--only messages`, `workspaces` or `workers` measures one of the three.
 */
const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})
/** Each costs at most this many times what the smallest does. */
const maxTimes = 1.2
/** Counts below are noise: a sweep that falls into the time of one and not of another. */
const minCount = 0.1
const kinds = [
  'commands',
  'documents examined',
  'keys examined',
  'keys and documents added',
  'keys and documents removed',
  'journal, bytes',
  'Redis commands',
] as const

const count = flags.short ? 60 : Number(flags.count)
const smallest: Point = { messages: flags.short ? 500 : 10_000, workspaces: 1, workers: 1 }
const grown: Record<string, readonly Partial<Point>[]> = {
  messages: flags.short ? [{ messages: 1000 }] : [{ messages: 100_000 }, { messages: 1_000_000 }],
  workspaces: flags.short ? [{ workspaces: 5 }] : [{ workspaces: 100 }, { workspaces: 10_000 }],
  workers: flags.short ? [{ workers: 2 }] : [{ workers: 2 }, { workers: 4 }],
}

console.log(`load before the run ${loadNow()}; ${count} of each`)
const points = Object.entries(grown).flatMap(([name, of]) =>
  flags.only === undefined || flags.only === name ? of : [],
)
const base = await measured(smallest)
const others: (readonly [string, Awaited<ReturnType<typeof measurePoint>>])[] = []
for (const changed of points) {
  const [[name, value]] = Object.entries(changed) as [[string, number]]
  others.push([`${value.toLocaleString('en')} ${name}`, await measured({ ...smallest, ...changed })])
}
const rows = Object.entries(base).flatMap(([operation, work]) =>
  kinds.map((kind) => [
    `${operation}: ${kind}`,
    (work[kind] ?? Number.NaN).toFixed(2),
    ...others.map(([, point]) => beside(work[kind] ?? Number.NaN, point[operation]?.[kind] ?? Number.NaN)),
  ]),
)
const { messages, workspaces, workers } = smallest
console.log(
  `\nThe smallest has ${messages} messages, workspaces ${workspaces}, workers ${workers}; others are times of it, ≤ ${maxTimes}.`,
)
console.log(table([['of each', 'smallest', ...others.map(([name]) => name)], ...rows]))
console.log(`load after the run ${loadNow()}`)

function measured(point: Point): Promise<Readonly<Record<string, Work>>> {
  log(
    Object.entries(point)
      .map(([name, value]) => `${value} ${name}`)
      .join(', '),
  )
  return withCleanUp((cleanUp) => measurePoint(point, count, cleanUp))
}

function beside(least: number, value: number): string {
  if (Math.max(least, value) < minCount) return '–'
  const times = value / least
  if (times <= maxTimes) return times.toFixed(2)
  process.exitCode = 1
  return `${times.toFixed(2)} missed`
}
