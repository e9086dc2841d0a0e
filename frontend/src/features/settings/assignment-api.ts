import { type Assignment, assignmentApi } from '@parley/contracts/inbox/assignment'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { assignmentKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'

export const assignmentOptions = () =>
  queryOptions({
    queryKey: assignmentKeys.all,
    queryFn: ({ signal }) => call(assignmentApi.read, { signal }),
  })

/** Saves how new conversations are assigned. Another member's change meanwhile is shown, and not overwritten. */
export function useSaveAssignment() {
  const client = useQueryClient()
  const show = (assignment: Assignment) => client.setQueryData(assignmentKeys.all, assignment)
  return useChange({
    run: (body: Assignment, intent) => call(assignmentApi.update, { body, ...intent }),
    onSuccess: show,
    onError: (error) => {
      const current = staleRecord(error, assignmentApi.update)
      if (current) show(current)
    },
  })
}
