import type { DraftFlow } from '@parley/contracts/automation/flow'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import type { Drawn } from './builder-context.ts'
import { drawDiff } from './diff-words.ts'
import type { FlowRuns } from './flow-runs.ts'

const versionName = z.string().regex(/^(draft|[1-9]\d{0,5})$/)

/** Address of the panel of versions: `v` is drawn, and compared with `than`. Each is a number, or `draft`. */
export const comparedUrlShape = { v: versionName.optional(), than: versionName.optional() }

/** Version that is looked at; none: all of them. `closed`: the panel is left. */
export interface ComparedVersion {
  readonly v?: string | undefined
  readonly than?: string | undefined
  readonly closed?: true
}

interface Named {
  /** `Version 3`, or `The draft`. */
  readonly name: string
  readonly flow: DraftFlow
}

const orderOf = (v: string): number => (v === 'draft' ? Number.POSITIVE_INFINITY : Number(v))

/** Reads the version that is looked at, and the one that it is compared with: `before` is the older of two. */
export function useCompared(
  runs: Pick<FlowRuns, 'versionOptions'>,
  flow: { readonly id: string; readonly draft: DraftFlow } | undefined,
  { v, than }: ComparedVersion,
) {
  const pair = [than, v].filter((one) => one !== undefined).sort((left, right) => orderOf(left) - orderOf(right))
  const [older, newer] = pair.length === 2 ? pair : [undefined, pair[0]]
  const before = useVersion(runs, flow, older)
  const after = useVersion(runs, flow, newer)
  const failed = [before, after].find(({ error }) => error !== null)
  return {
    before: before.named,
    after: after.named,
    error: failed?.error,
    isFetching: failed?.isFetching ?? false,
    refetch: () => void failed?.refetch(),
  }
}

/** Draws the version that is looked at, or its differences. */
export function useDrawnVersion(
  runs: Pick<FlowRuns, 'versionOptions'>,
  flow: { readonly id: string; readonly draft: DraftFlow } | undefined,
  shown: ComparedVersion,
): Drawn | undefined {
  const { before, after } = useCompared(runs, flow, shown)
  return useMemo(() => {
    if (!after) return undefined
    if (!before) return { flow: after.flow, title: `${after.name}, not to be edited here` }
    const { flow, nodes, lines } = drawDiff(before.flow, after.flow)
    return { flow, diff: { nodes, lines }, title: `From ${before.name.toLowerCase()} to ${after.name.toLowerCase()}` }
  }, [before, after])
}

function useVersion(
  runs: Pick<FlowRuns, 'versionOptions'>,
  flow: { readonly id: string; readonly draft: DraftFlow } | undefined,
  v: string | undefined,
) {
  const isNumber = v !== undefined && v !== 'draft'
  const { data, error, isFetching, refetch } = useQuery({
    ...runs.versionOptions(flow?.id ?? '', isNumber ? Number(v) : 0),
    enabled: isNumber && flow !== undefined,
  })
  const draft = flow?.draft
  const named = useMemo((): Named | undefined => {
    if (v === 'draft') return draft && { name: 'The draft', flow: draft }
    return data && isNumber ? { name: `Version ${data.number}`, flow: data.flow } : undefined
  }, [v, draft, data, isNumber])
  return { named, error: isNumber ? error : null, isFetching, refetch }
}
