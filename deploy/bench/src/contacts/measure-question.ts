import { log, type Measure, percentile } from '../report.ts'

/** Request that a page makes again and again with other values, and the time in which it must be answered. */
export interface AskedQuestion<Known> {
  readonly name: string
  /** Path and query of one request. @param turn counts up. */
  readonly ask: (turn: number, workspace: Known) => string
  readonly goalMs?: number
  /** A question answered within 100 ms at p95 is not held against a workspace of a tenth. */
  readonly isCapped: boolean
}

interface AskedWorkspace<Known> {
  readonly workspaceId: string
  readonly known: Known
}
interface AskedRig<Known> {
  /** @returns after how many milliseconds the whole answer was there. */
  readonly ask: (path: string, workspace: AskedWorkspace<Known>) => Promise<number>
  readonly large: AskedWorkspace<Known>
  /** A tenth of it. */
  readonly small: AskedWorkspace<Known>
}

const soonMs = 100
const maxTimes = 1.3

/** Asks the two workspaces in turns, so that whatever else the machine does is the same for both. */
export async function measureQuestion<Known>(
  rig: AskedRig<Known>,
  { name, ask, goalMs, isCapped }: AskedQuestion<Known>,
  asked: number,
): Promise<Measure[]> {
  const durations = { large: [] as number[], small: [] as number[] }
  // The first of each is not counted.
  for (let turn = -1; turn < asked; turn += 1) {
    for (const size of ['large', 'small'] as const) {
      const workspace = rig[size]
      const ms = await rig.ask(ask(turn + 1, workspace.known), workspace)
      if (turn >= 0) durations[size].push(ms)
    }
  }
  const [p95, tenth] = [percentile(durations.large, 0.95), percentile(durations.small, 0.95)]
  log(`${name}: ${percentile(durations.large, 0.5).toFixed(1)} / ${p95.toFixed(1)} ms (a tenth: ${tenth.toFixed(1)})`)
  const isSoon = isCapped && p95 < soonMs
  return [
    { name: `${name}, p50`, values: [percentile(durations.large, 0.5)], unit: 'ms' },
    { name: `${name}, p95`, values: [p95], unit: 'ms', ...(goalMs !== undefined && { goal: { atMost: goalMs } }) },
    { name: `${name}, of a tenth`, values: [p95 / tenth], ...(!isSoon && { goal: { atMost: maxTimes } }) },
  ]
}
