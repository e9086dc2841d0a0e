import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toast.ts'
import { explain } from './explain.ts'
import type { Patch, Records, StoredRecord } from './records.ts'
import { type Intent, useChange } from './use-change.ts'

interface RecordChange<R extends StoredRecord, I, O> {
  readonly records: Records<R>
  readonly id: string
  /** Returns the change shown until the server has answered. */
  readonly patch: (input: I) => Patch<R>
  readonly run: (input: I, intent: Intent, client: QueryClient) => Promise<O>
  /** The record in the answer, where there is one. */
  readonly answered?: (output: O) => R
  /** Shows what else follows at once, a counter for example: before the record itself shows the change. @returns its inverse. */
  readonly also?: (client: QueryClient, input: I) => Promise<() => void>
  readonly onSuccess?: (output: O, input: I, client: QueryClient) => unknown
  /** Failure message where the server gives none. */
  readonly failed: string
  /** Queries refetched once it has ended. */
  readonly invalidates: readonly QueryKey[]
}

interface Started<R> {
  readonly end: (outcome: R | 'kept' | 'failed') => void
  readonly takeBack: (() => void) | undefined
}

/** A change of one record that shows at once, and goes again with a word if the server does not take it. */
export function useRecordChange<R extends StoredRecord, I, O = R>(change: RecordChange<R, I, O>) {
  const { records, id } = change
  const client = useQueryClient()
  return useChange<I, O, Started<R>>({
    scope: records.scopeOf(id),
    again: 'queued',
    run: (input, intent) => change.run(input, intent, client),
    onStart: async (input) => {
      const takeBack = await change.also?.(client, input)
      return { end: await records.begin(client, id, change.patch(input)), takeBack }
    },
    onSuccess: (output, input, { end }) => {
      end(change.answered?.(output) ?? 'kept')
      return change.onSuccess?.(output, input, client)
    },
    onError: (error, _input, started) => {
      started?.end('failed')
      started?.takeBack?.()
      toast.error(explain(error, change.failed))
    },
    onSettled: () => Promise.all(change.invalidates.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}
