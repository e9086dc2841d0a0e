import { importRowsApi } from '@parley/contracts/contacts/import-rows'
import { type ImportRecord, importsApi } from '@parley/contracts/contacts/imports'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { infiniteQueryOptions, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { importKeys } from '../../../lib/query-keys.ts'
import { type Intent, useChange } from '../../../lib/use-change.ts'

type RowQuery = EndpointRequest<typeof importRowsApi.list>['query']
export type WhichRows = Pick<RowQuery, 'outcome' | 'undone'>
export type ImportChanges = EndpointRequest<typeof importsApi.update>['body']

/** Interval at which progress is read, should an event be lost. */
const watchMs = 2000

export const isWorking = ({ state }: Pick<ImportRecord, 'state'>): boolean =>
  state === 'checking' || state === 'running' || state === 'undoing'

export const importOptions = (id: string) =>
  queryOptions({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => call(importsApi.read, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? watchMs : false),
  })

export const importListOptions = () =>
  queryOptions({
    queryKey: importKeys.list({}),
    queryFn: ({ signal }) => call(importsApi.list, { query: { limit: 10 }, signal }),
  })

export const importRowsOptions = (id: string, which: WhichRows) =>
  infiniteQueryOptions({
    queryKey: importKeys.rows(id, which),
    queryFn: ({ pageParam, signal }) =>
      call(importRowsApi.list, {
        params: { id },
        query: { ...which, limit: 50, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** Returns the address to download the rows from. */
export const rowsFile = (id: string, which: WhichRows): string =>
  `${importRowsApi.download.path.replace(':id', id)}?${new URLSearchParams(which as Record<string, string>)}`

/** An import as the server has answered with it. */
export function receiveImport(client: QueryClient, record: ImportRecord): void {
  client.setQueryData(importKeys.one(record.id), record)
  void client.invalidateQueries({ queryKey: importKeys.lists })
  void client.invalidateQueries({ queryKey: importKeys.allRows(record.id) })
}

type Step = 'check' | 'run' | 'cancel' | 'undo'

/** Changes how a file is read, and moves its import on. */
export function useImportChange(id: string) {
  const client = useQueryClient()
  return useChange({
    run: async (
      { changes, step, startWorkflows = false }: { changes?: ImportChanges; step?: Step; startWorkflows?: boolean },
      { idempotencyKey }: Intent,
    ): Promise<ImportRecord> => {
      const params = { id }
      const intent = (part: string) => ({ idempotencyKey: `${idempotencyKey}-${part}` })
      const changed = changes
        ? await call(importsApi.update, { params, body: changes, ...intent('update') })
        : undefined
      if (step === 'run') {
        const query = startWorkflows ? { startWorkflows: 'true' as const } : {}
        return call(importsApi.run, { params, query, ...intent(step) })
      }
      if (step) return call(importsApi[step], { params, ...intent(step) })
      return changed ?? call(importsApi.read, { params })
    },
    onSuccess: (record) => receiveImport(client, record),
  })
}
