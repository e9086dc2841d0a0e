import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { figureRowsApi, type RowMetric } from '@parley/contracts/platform/figure-rows'
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { receiveJob, reportExport, whenEnded } from '../../lib/contact-jobs.ts'
import { explain } from '../../lib/explain.ts'
import { analyticsKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { toast } from '../../ui/toast.ts'

/** Figure whose rows are shown. */
export interface RowsOf {
  readonly metric: RowMetric
  readonly from: string
  readonly to: string
  readonly scope: string
}

/** Reads the rows behind a figure, page by page. */
export const rowsOptions = (of: RowsOf) =>
  infiniteQueryOptions({
    queryKey: analyticsKeys.rows(of),
    queryFn: ({ pageParam, signal }) =>
      call(figureRowsApi.list, { query: { ...of, limit: 50, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })

/** Starts an export of rows, and downloads its file when it is written, wherever in the app the person is by then. */
export function useExportRows() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useChange({
    run: (body: EndpointInput<typeof figureRowsApi.export>['body'], intent) =>
      call(figureRowsApi.export, { body, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
  const start = async (of: RowsOf): Promise<void> => {
    try {
      const job = await mutateAsync({ ...of, format: 'csv' })
      const ended = await whenEnded(client, job)
      if (ended) reportExport(ended, 'Rows exported.')
    } catch (error) {
      toast.error(explain(error, 'The export could not be started. Try again.'))
    }
  }
  return { start, isPending }
}
