import type { Bot } from '@parley/contracts/bots'
import type { DraftFlow } from '@parley/contracts/flow'
import type { PageOf } from '@parley/contracts/records'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '../lib/explain.ts'
import { choiceKeys, type RecordKeys } from '../lib/query-keys.ts'
import { offerUndo } from '../lib/undo.ts'
import { toast } from '../ui/toast.ts'
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
  readonly read: (id: string, signal: AbortSignal) => Promise<R>
  readonly create: (body: { name: string; draft?: DraftFlow | undefined }) => Promise<R>
  readonly update: (id: string, body: Patch & { version: number }) => Promise<R>
  readonly remove: (id: string) => Promise<unknown>
  readonly restore: (id: string) => Promise<unknown>
}

/** Reads and changes of bots or workflows. A change shows wherever the record stands; lists and counters are read again. */
export function flowQueries<R extends FlowRecord>(keys: RecordKeys, calls: Calls<R>) {
  const refresh = (client: QueryClient) =>
    Promise.all([keys.lists, keys.summary, choiceKeys.bots].map((queryKey) => client.invalidateQueries({ queryKey })))
  const changeLists = (client: QueryClient, change: (page: PageOf<R>) => PageOf<R>) =>
    client.setQueriesData<PageOf<R>>({ queryKey: keys.lists }, (page) => page && change(page))

  function show(client: QueryClient, record: R): void {
    client.setQueryData<R>(keys.one(record.id), (known) => known && record)
    changeLists(client, (page) => ({
      ...page,
      items: page.items.map((item) => (item.id === record.id ? record : item)),
    }))
  }

  const update = (record: R, patch: Patch) => calls.update(record.id, { ...patch, version: record.version })

  return {
    listOptions: (query: FlowQuery) =>
      queryOptions({
        queryKey: keys.list(query),
        queryFn: ({ signal }) => calls.list(query, signal),
        placeholderData: (before) => before,
      }),

    /** One record with its flow. */
    oneOptions: (id: string) =>
      queryOptions({ queryKey: keys.one(id), queryFn: ({ signal }) => calls.read(id, signal) }),

    /** Pauses or starts: it is shown at once, and taken back if it fails. */
    useSetStatus() {
      const client = useQueryClient()
      return useMutation({
        mutationFn: ({ record, status }: { record: R; status: Bot['status'] }) => update(record, { status }),
        onMutate: async ({ record, status }) => {
          await client.cancelQueries({ queryKey: keys.all })
          show(client, { ...record, status })
        },
        onSuccess: (record) => show(client, record),
        onError: (error, { record }) => {
          show(client, record)
          toast.error(explain(error, `${record.name} could not be changed.`))
        },
        onSettled: () => refresh(client),
      })
    },

    /** Renames, or saves the flow. */
    useUpdate() {
      const client = useQueryClient()
      return useMutation({
        mutationFn: ({ record, patch }: { record: R; patch: Patch }) => update(record, patch),
        onSuccess: (record) => show(client, record),
        onError: (error, { record }) => toast.error(explain(error, `${record.name} could not be saved.`)),
        onSettled: () => refresh(client),
      })
    },

    /** Creates a paused one. */
    useCreate() {
      const client = useQueryClient()
      return useMutation({ mutationFn: calls.create, onSettled: () => refresh(client) })
    },

    /** Deletes, and offers to bring it back. */
    useRemove() {
      const client = useQueryClient()
      return useMutation({
        mutationFn: ({ id }: R) => calls.remove(id),
        onMutate: async ({ id }) => {
          await client.cancelQueries({ queryKey: keys.lists })
          changeLists(client, (page) => ({
            ...page,
            items: page.items.filter((item) => item.id !== id),
            total: page.total - 1,
          }))
        },
        onSuccess: (_, { id, name }) => {
          client.removeQueries({ queryKey: keys.one(id) })
          offerUndo(`${name} deleted.`, async () => {
            await calls.restore(id)
            await refresh(client)
          })
        },
        onError: (error, { name }) => toast.error(explain(error, `${name} could not be deleted.`)),
        onSettled: () => refresh(client),
      })
    },
  }
}
