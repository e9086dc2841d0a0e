import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { FlowCheck, FlowCounts, FlowVersion, runningChoices } from '@parley/contracts/automation/publication'
import { type RunFilter, type retrySchema, runsApi } from '@parley/contracts/automation/run-endpoints'
import type { Attention, Run, RunStep } from '@parley/contracts/automation/runs'
import type { PageOf } from '@parley/contracts/core/records'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../lib/api.ts'
import type { FlowKeys } from '../lib/query-keys.ts'
import { offerUndo } from '../lib/undo.ts'
import { type Intent, useChange } from '../lib/use-change.ts'

export type RunningChoice = (typeof runningChoices)[number]

/** Runs that a list shows; a change of all of them takes this filter, all but its page. */
export type RunsQuery = RunFilter & { readonly cursor?: string | undefined }
const runsPageSize = 25

export interface Publication {
  readonly running: RunningChoice
  readonly accept: string[]
  readonly note?: string | undefined
  readonly start?: boolean | undefined
  readonly version: number
}

/** A flow with its new version, and how many runs have moved to that. */
interface Published<R> {
  readonly flow: R
  readonly number: number
  readonly moved: number
}

/** The calls of one kind of flow about its versions and runs. */
interface Calls<R> {
  /** @param number version to be published once more; absent: the draft. */
  readonly check: (id: string, number: number | undefined, signal: AbortSignal) => Promise<FlowCheck>
  readonly publish: (id: string, body: Publication, intent: Intent) => Promise<Published<R>>
  /** Publishes a version once more. */
  readonly restoreVersion: (id: string, number: number, body: Publication, intent: Intent) => Promise<Published<R>>
  readonly versions: (id: string, cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<FlowVersion>>
  /** Pauses it, and ends its runs. */
  readonly endRuns: (id: string, intent: Intent) => Promise<R>
  readonly duplicate: (id: string, name: string, intent: Intent) => Promise<R>
  readonly version: (id: string, number: number, signal: AbortSignal) => Promise<{ number: number; flow: DraftFlow }>
  readonly counts: (id: string, query: { days: number; number: number }, signal: AbortSignal) => Promise<FlowCounts>
  readonly runs: (id: string, query: RunsQuery & { limit: number }, signal: AbortSignal) => Promise<PageOf<Run>>
  /** Open entries of the attention list. */
  readonly attention: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<Attention>>
}

/** Calls that publish a flow, and show and change its runs. */
export interface FlowRuns<R = { readonly name: string }> {
  readonly kind: FlowKind
  readonly checkOptions: ReturnType<typeof flowRuns<R>>['checkOptions']
  readonly usePublish: ReturnType<typeof flowRuns<R>>['usePublish']
  readonly useEndRuns: ReturnType<typeof flowRuns<R>>['useEndRuns']
  readonly versionOptions: ReturnType<typeof flowRuns<R>>['versionOptions']
  readonly versionsOptions: ReturnType<typeof flowRuns<R>>['versionsOptions']
  readonly countsOptions: ReturnType<typeof flowRuns<R>>['countsOptions']
  readonly runsOptions: ReturnType<typeof flowRuns<R>>['runsOptions']
  readonly runOptions: ReturnType<typeof flowRuns<R>>['runOptions']
  readonly useChangeRun: ReturnType<typeof flowRuns<R>>['useChangeRun']
  readonly useRetry: ReturnType<typeof flowRuns<R>>['useRetry']
  readonly attentionOptions: ReturnType<typeof flowRuns<R>>['attentionOptions']
  readonly useDismiss: ReturnType<typeof flowRuns<R>>['useDismiss']
}

/** Queries and changes of the versions and runs of one kind of flow. @param receive shows an answer wherever the flow stands. */
export function flowRuns<R>(
  kind: FlowKind,
  keys: FlowKeys,
  {
    calls,
    receive,
    receiveStale,
  }: {
    calls: Calls<R>
    receive: (client: QueryClient, flow: R) => unknown
    /** Shows the record in a refusal with `stale_version`. */
    receiveStale: (client: QueryClient, error: unknown) => unknown
  },
) {
  return {
    kind,

    /** Problems of the saved draft, and the runs that publishing would touch. Read again each time that it is asked. */
    checkOptions: (id: string, number?: number) =>
      queryOptions({
        queryKey: keys.check(id, number),
        queryFn: ({ signal }) => calls.check(id, number, signal),
        gcTime: 0,
        staleTime: 0,
      }),

    /** Publishes the saved draft, or a version once more, as a new version. */
    usePublish(id: string, number?: number) {
      const client = useQueryClient()
      return useChange({
        run: (body: Publication, intent) =>
          number === undefined ? calls.publish(id, body, intent) : calls.restoreVersion(id, number, body, intent),
        onSuccess: ({ flow }) => receive(client, flow),
        onError: (error) => receiveStale(client, error),
        onSettled: () =>
          Promise.all([keys.allRuns, keys.versions(id)].map((queryKey) => client.invalidateQueries({ queryKey }))),
      })
    },

    /** Pauses a flow whose runs are to end. */
    useEndRuns(id: string) {
      const client = useQueryClient()
      return useChange({
        run: (_: undefined, intent) => calls.endRuns(id, intent),
        onSuccess: (flow) => receive(client, flow),
        onSettled: () => client.invalidateQueries({ queryKey: keys.allRuns }),
      })
    },

    /** Creates a paused copy, settings included. */
    useDuplicate(id: string) {
      const client = useQueryClient()
      return useChange({
        run: (name: string, intent) => calls.duplicate(id, name, intent),
        onSuccess: (flow) => receive(client, flow),
      })
    },

    /** The flow of one published version. */
    versionOptions: (id: string, number: number) =>
      queryOptions({
        queryKey: keys.version(id, number),
        queryFn: ({ signal }) => calls.version(id, number, signal),
        staleTime: Number.POSITIVE_INFINITY,
      }),

    /** Published versions, the newest first. */
    versionsOptions: (id: string, cursor: string | undefined) =>
      queryOptions({
        queryKey: keys.versionPage(id, cursor),
        queryFn: ({ signal }) => calls.versions(id, cursor, signal),
        placeholderData: (before) => before,
      }),

    /** Runs of a flow, the newest first. */
    runsOptions: (id: string, query: RunsQuery) =>
      queryOptions({
        queryKey: keys.runs(id, query),
        queryFn: ({ signal }) => calls.runs(id, { ...query, limit: runsPageSize }, signal),
        placeholderData: (before) => before,
      }),

    /** Figures of the nodes of one version. */
    countsOptions: (id: string, query: { readonly days: number; readonly number: number }) =>
      queryOptions({
        queryKey: keys.counts(id, query),
        queryFn: ({ signal }) => calls.counts(id, query, signal),
        placeholderData: (before) => before,
      }),

    /** One run with its steps. */
    runOptions: (id: string) =>
      queryOptions({
        queryKey: keys.run(id),
        queryFn: ({ signal }): Promise<{ run: Run; steps: RunStep[] }> =>
          call(runsApi.read, { params: { id }, signal }),
      }),

    /** Ends a run, or lets a held one continue. */
    useChangeRun(id: string) {
      const client = useQueryClient()
      return useChange({
        run: (change: 'cancel' | 'release', intent): Promise<Run> =>
          call(runsApi[change], { params: { id }, ...intent }),
        onSettled: () =>
          Promise.all(
            [keys.allRuns, keys.run(id), keys.lists].map((queryKey) => client.invalidateQueries({ queryKey })),
          ),
      })
    },

    /** Tries a failed run again, as a new run. */
    useRetry(id: string) {
      const client = useQueryClient()
      return useChange({
        run: (body: z.input<typeof retrySchema>, intent): Promise<Run> =>
          call(runsApi.retry, { params: { id }, body, ...intent }),
        onSettled: () =>
          Promise.all(
            [keys.allRuns, keys.run(id), keys.lists].map((queryKey) => client.invalidateQueries({ queryKey })),
          ),
      })
    },

    /** Query of the open entries of the attention list. */
    attentionOptions: (cursor?: string) =>
      queryOptions({
        queryKey: keys.attentionPage(cursor),
        queryFn: ({ signal }) => calls.attention(cursor, signal),
        placeholderData: (before) => before,
      }),

    /** Takes an entry off the attention list, and offers to put it back. */
    useDismiss() {
      const client = useQueryClient()
      const read = () =>
        Promise.all([keys.attention, keys.lists].map((queryKey) => client.invalidateQueries({ queryKey })))
      return useChange({
        run: ({ id }: Pick<Attention, 'id'>, intent) =>
          call(runsApi.dismiss, { body: { ids: [id], state: 'dismissed' as const }, ...intent }),
        onSuccess: (_changed, { id }) =>
          offerUndo('Taken off the list', async () => {
            await call(runsApi.dismiss, { body: { ids: [id], state: 'open' as const } })
            await read()
          }),
        onSettled: read,
      })
    },
  }
}
