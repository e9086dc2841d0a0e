import type { Bot } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { PageOf } from '@parley/contracts/core/records'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { choiceKeys, type RecordKeys } from '../lib/query-keys.ts'
import { createRecords } from '../lib/records.ts'
import { offerUndo } from '../lib/undo.ts'
import { type Intent, useChange } from '../lib/use-change.ts'
import { useRecordChange } from '../lib/use-record-change.ts'
import type { FlowQuery } from './flow-list.tsx'

interface FlowRecord {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly status: Bot['status']
}

interface Patch {
  readonly name?: string
  readonly status?: Bot['status']
  readonly draft?: DraftFlow
}

/** The calls of one domain, bots or workflows. */
interface Calls<R> {
  readonly list: (query: FlowQuery, signal: AbortSignal) => Promise<PageOf<R>>
  readonly read: (id: string, signal?: AbortSignal) => Promise<R>
  readonly create: (body: { name: string; draft?: DraftFlow | undefined }, intent: Intent) => Promise<R>
  readonly update: (id: string, body: Patch & { version: number }, intent?: Intent) => Promise<R>
  readonly remove: (id: string, intent: Intent) => Promise<unknown>
  readonly restore: (id: string) => Promise<R>
  /** The record in a refusal with `stale_version`. */
  readonly stale: (error: unknown) => R | undefined
}

/** Reads and changes of bots or workflows. A change shows wherever the record stands; lists and counters are read again. */
export function flowQueries<R extends FlowRecord>(keys: RecordKeys, calls: Calls<R>) {
  const records = createRecords<R>(keys)
  const counted = [keys.lists, keys.summary, choiceKeys.bots]
  const refresh = (client: QueryClient) =>
    Promise.all(counted.map((queryKey) => client.invalidateQueries({ queryKey })))

  return {
    listOptions: (query: FlowQuery) =>
      queryOptions({
        queryKey: keys.list(query),
        queryFn: async ({ signal, client }) => records.readPage(client, await calls.list(query, signal)),
        placeholderData: (before) => before,
      }),

    /** One record with its flow. */
    oneOptions: (id: string) =>
      queryOptions({
        queryKey: keys.one(id),
        queryFn: async ({ signal, client }) => {
          const record = await calls.read(id, signal)
          return records.read(client, record) ?? record
        },
      }),

    /**
     * Pauses or starts: it is shown at once, and taken back if it fails. Where the record was changed elsewhere meanwhile, it
     * is done to that: what others changed stays.
     */
    useSetStatus: ({ id, name }: R) =>
      useRecordChange<R, Bot['status']>({
        records,
        id,
        patch: (status) => (record) => ({ ...record, status }),
        run: async (status, intent, client) => {
          const { version } = records.newest(client, id) ?? (await calls.read(id))
          try {
            return await calls.update(id, { status, version }, intent)
          } catch (error) {
            const current = calls.stale(error)
            if (!current) throw error
            records.receive(client, current)
            return calls.update(id, { status, version: current.version })
          }
        },
        answered: (record) => record,
        failed: `${name} could not be changed.`,
        invalidates: counted,
      }),

    /** Renames, or saves the flow, of the version that the builder has open. */
    useUpdate() {
      const client = useQueryClient()
      return useChange({
        run: ({ id, ...change }: Patch & { id: string; version: number }, intent) => calls.update(id, change, intent),
        onSuccess: (record) => records.receive(client, record),
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
    useRemove: ({ id, name }: R) =>
      useRecordChange<R, void, unknown>({
        records,
        id,
        patch: () => () => undefined,
        run: (_, intent) => calls.remove(id, intent),
        failed: `${name} could not be deleted.`,
        onSuccess: (_output, _input, client) => {
          client.removeQueries({ queryKey: keys.one(id) })
          offerUndo(`${name} deleted.`, async () => {
            records.receive(client, await calls.restore(id))
            await refresh(client)
          })
        },
        invalidates: counted,
      }),
  }
}
