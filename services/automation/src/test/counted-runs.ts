import type { Joined } from './start-runs.ts'

type Row = Record<string, unknown>

/** Counts what is new, as workers do: one that met another is tried again. */
export async function countRuns({ count }: Pick<Joined, 'count'>): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      await count()
      return
    } catch {}
  }
  throw new Error('the runs could not be counted')
}

/** Counts the visits of a flow's nodes from the rows themselves. */
export function recounted(steps: readonly Row[], runs: readonly Row[], flowId: string) {
  const nodes: Record<
    string,
    { entered: number; left: Record<string, number>; dropped: number; failed: number; here: number }
  > = {}
  const at = (nodeId: unknown) => {
    nodes[String(nodeId)] ??= { entered: 0, left: {}, dropped: 0, failed: 0, here: 0 }
    return nodes[String(nodeId)] as (typeof nodes)[string]
  }
  for (const run of runs.filter((one) => String(one['flowId']) === flowId)) {
    const own = steps.filter(({ runId }) => String(runId) === String(run['_id']))
    let place: unknown
    for (const { nodeId, entered, left, outcome } of own) {
      if (entered) {
        at(nodeId).entered += 1
        place = nodeId
      }
      if (outcome === 'refused') at(nodeId).failed += 1
      if (typeof left === 'string') {
        at(nodeId).left[left] = (at(nodeId).left[left] ?? 0) + 1
        place = undefined
      }
    }
    if (place !== undefined) at(place)[run['live'] ? 'here' : 'dropped'] += 1
  }
  return nodes
}

/** Counts the figures of a flow's card from its rows. */
export function refigured(runs: readonly Row[], flowId: string) {
  const own = runs.filter((run) => String(run['flowId']) === flowId)
  const count = (fits: (run: Row) => boolean) => own.filter(fits).length
  return {
    running: count(({ live }) => live === true),
    begun: own.length,
    ended: count(({ outcome }) => typeof outcome === 'string'),
    resolved: count(({ outcome, followedUp }) => outcome === 'completed' && !followedUp),
    succeeded: count(({ outcome }) => outcome === 'completed' || outcome === 'handed_over'),
  }
}
