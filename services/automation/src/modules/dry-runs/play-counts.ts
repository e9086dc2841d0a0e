import type { DryRunEnd, DryRunResult, DryRunSkip } from '@parley/contracts/automation/dry-runs'
import type { Todo } from '../runs/inputs.ts'
import type { RunRecord } from '../runs/runs.service.ts'

/** Counts what a play has come to. */
export function createPlayCounts() {
  const days = new Map<string, number>()
  const skipped = new Map<DryRunSkip, number>()
  const templates = new Map<string, number>()
  const paths = new Map<string, { nodeId?: string; end: DryRunEnd; count: number }>()
  let [events, starts, messages] = [0, 0, 0]

  return {
    starts: (): number => starts,
    /** Counts a decision on an event. */
    decided: (result: string): void => {
      events += 1
      if (isSkip(result)) skipped.set(result, (skipped.get(result) ?? 0) + 1)
    },
    /** @param at milliseconds since 1970. */
    started: (at: number): void => {
      starts += 1
      const day = new Date(at).toISOString().slice(0, 10)
      days.set(day, (days.get(day) ?? 0) + 1)
    },
    sent: ({ actions }: Todo): void => {
      for (const action of actions)
        if (action.type === 'send') messages += 1
        else if (action.type === 'send_template')
          templates.set(action.templateId, (templates.get(action.templateId) ?? 0) + 1)
    },
    ended: (run: RunRecord, end: DryRunEnd): void => {
      // One that is held has gone nowhere yet.
      const nodeId = end === 'held' ? undefined : (run.state.nodeId ?? undefined)
      const key = `${end} ${nodeId}`
      const known = paths.get(key) ?? { ...(nodeId !== undefined && { nodeId }), end, count: 0 }
      paths.set(key, { ...known, count: known.count + 1 })
    },
    totals: () => ({
      events,
      starts,
      days: [...days].map(([day, number]) => ({ day, starts: number })),
      skipped: byCount([...skipped].map(([reason, count]) => ({ reason, count }))),
      messages,
      templates: byCount([...templates].map(([templateId, count]) => ({ templateId, count }))),
      paths: byCount(paths.values()) satisfies DryRunResult['paths'],
    }),
  }
}

const skips: ReadonlySet<string> = new Set<DryRunSkip>(['filter', 'enrolled', 'cool_down', 'chain', 'number'])
const isSkip = (result: string): result is DryRunSkip => skips.has(result)

const byCount = <T extends { readonly count: number }>(all: Iterable<T>): T[] =>
  [...all].toSorted((left, right) => right.count - left.count)
