import { formsApi } from '@parley/contracts/templates/forms'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../ui/toast.ts'
import { call } from '../api.ts'
import { explain } from '../explain.ts'
import { choiceKeys } from '../query-keys.ts'
import { useChange } from '../use-change.ts'
import { choiceStaleMs } from './stale.ts'

/** Forms of the accounts of connected numbers, with when they were read. */
export const formChoices = () =>
  queryOptions({
    queryKey: choiceKeys.forms,
    queryFn: ({ signal }) => call(formsApi.list, { query: {}, signal }),
    staleTime: choiceStaleMs,
    refetchInterval: ({ state }) => (state.data?.running ? 1500 : false),
  })

/** Has the forms read again, which happens together with the templates. */
export function useReadForms() {
  const client = useQueryClient()
  return useChange({
    run: (_: undefined, intent) => call(templatesApi.sync, intent),
    onSuccess: () => client.invalidateQueries({ queryKey: choiceKeys.forms }),
    onError: (error) => toast.error(explain(error, 'WhatsApp could not be asked. Try again.')),
  })
}
