import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { PageOf } from '@parley/contracts/core/records'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { choiceKeys, type RecordKeys } from '../lib/query-keys.ts'
import { createRecords } from '../lib/records.ts'
import { offerUndo } from '../lib/undo.ts'
import { type Intent, useChange } from '../lib/use-change.ts'
import { useRecordChange } from '../lib/use-record-change.ts'
import { toast } from '../ui/toast.ts'
import type { FlowQuery } from './flow-list.tsx'
import type { FlowStatusName } from './flow-status.tsx'

interface FlowSummary {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly status: FlowStatusName
}

/** Changes that the builder saves. */
export interface FlowPatch {
  readonly name?: string
  readonly draft?: DraftFlow
}

/** The calls of one domain, bots or workflows: `S` is a record as lists show it, `R` the same with its flow. */
interface Calls<S, R extends S> {
  readonly list: (query: FlowQuery, signal: AbortSignal) => Promise<PageOf<S>>
  readonly read: (id: string, signal?: AbortSignal) => Promise<R>
  readonly create: (body: { name: string; draft?: DraftFlow | undefined }, intent: Intent) => Promise<R>
  readonly update: (id: string, body: FlowPatch & { version: number }, intent: Intent) => Promise<R>
  /** Pauses or starts it. */
  readonly setStatus: (id: string, status: FlowStatusName, intent: Intent) => Promise<R>
  readonly remove: (id: string, intent: Intent) => Promise<unknown>
  readonly restore: (id: string) => Promise<R>
  /** The record in a refusal with `stale_version`. */
  readonly stale: (error: unknown) => R | undefined
}

/**
 * Reads and changes of bots or workflows. A change shows wherever the record stands; lists and counters are read again.
 * @param keys.record of a record with its flow, which no change of a summary may take the place of.
 */
export function flowQueries<S extends FlowSummary, R extends S>(
  keys: RecordKeys & { readonly record: (id: string) => readonly string[] },
  calls: Calls<S, R>,
) {
  const records = createRecords<S>(keys)
  const counted = [keys.lists, keys.summary, choiceKeys.bots]
  const refresh = (client: QueryClient) =>
    Promise.all(counted.map((queryKey) => client.invalidateQueries({ queryKey })))
  /** Shows an answer in lists and in the builder. */
  const receive = (client: QueryClient, record: R): void => {
    records.receive(client, record)
    client.setQueryData(keys.record(record.id), record)
  }

  /** Shows an answer of another call, and reads lists and counters again. */
  const receiveAndRefresh = (client: QueryClient, record: R) => {
    receive(client, record)
    return refresh(client)
  }

  return {
    listOptions: (query: FlowQuery) =>
      queryOptions({
        queryKey: keys.list(query),
        queryFn: async ({ signal, client }) => records.readPage(client, await calls.list(query, signal)),
        placeholderData: (before) => before,
      }),

    /** One record with its flow. */
    oneOptions: (id: string) =>
      queryOptions({ queryKey: keys.record(id), queryFn: ({ signal }) => calls.read(id, signal) }),

    receive: receiveAndRefresh,

    /** Shows the record that stands in the way of a change, if that is why it was refused: the next press is about it. */
    receiveStale: (client: QueryClient, error: unknown) => {
      const current = calls.stale(error)
      return current && receiveAndRefresh(client, current)
    },

    /** Pauses or starts a flow: shown at once, and undone if it fails. */
    useSetStatus: ({ id, name }: S) =>
      useRecordChange<S, FlowStatusName, R>({
        records,
        id,
        patch: (status) => (record) => ({ ...record, status }),
        run: (status, intent) => calls.setStatus(id, status, intent),
        answered: (record) => record,
        onSuccess: (record, _status, client) => receive(client, record),
        failed: `${name} could not be changed.`,
        invalidates: counted,
      }),

    /** Renames, or saves the flow, of the version that the builder has open. */
    useUpdate() {
      const client = useQueryClient()
      return useChange({
        run: ({ id, ...change }: FlowPatch & { id: string; version: number }, intent) =>
          calls.update(id, change, intent),
        onSuccess: (record) => receive(client, record),
        onSettled: () => refresh(client),
      })
    },

    /** The record that stands in the way of a change, if that is why it was refused. */
    staleRecord: calls.stale,

    /** Creates a paused one. */
    useCreate() {
      const client = useQueryClient()
      return useChange({ run: calls.create, onSettled: () => refresh(client) })
    },

    /** Deletes, and offers to bring it back. */
    useRemove: ({ id, name }: S) =>
      useRecordChange<S, void, unknown>({
        records,
        id,
        patch: () => () => undefined,
        run: (_, intent) => calls.remove(id, intent),
        failed: `${name} could not be deleted.`,
        onSuccess: (_output, _input, client) => {
          client.removeQueries({ queryKey: keys.record(id) })
          offerUndo(`${name} deleted.`, async () => {
            receive(client, await calls.restore(id))
            await refresh(client)
            toast.success(`${name} restored. It is paused.`)
          })
        },
        invalidates: counted,
      }),
  }
}
