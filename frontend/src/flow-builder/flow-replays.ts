import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { ReplayedRun, ReplayOf } from '@parley/contracts/automation/replays'
import { queryOptions } from '@tanstack/react-query'
import type { FlowKeys } from '../lib/query-keys.ts'

export type Replays = ReturnType<typeof flowReplays>

/** Query of ended runs of one kind of flow, played once more against a flow. */
export const flowReplays = (
  kind: 'bot' | 'workflow',
  keys: FlowKeys,
  call: (
    id: string,
    body: { draft: DraftFlow; of: ReplayOf },
    signal: AbortSignal,
  ) => Promise<{ items: ReplayedRun[] }>,
) => ({
  kind,
  replayOptions: (id: string, body: { draft: DraftFlow; of: ReplayOf }) =>
    queryOptions({
      queryKey: keys.replay(id, body),
      queryFn: ({ signal }) => call(id, body, signal),
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
})
