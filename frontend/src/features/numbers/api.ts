import type { EndpointRequest } from '@parley/contracts/endpoint'
import { type NewNumber, numbersApi } from '@parley/contracts/numbers'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { choiceKeys, numberKeys } from '../../lib/query-keys.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'

/** Every number of the workspace: there are few. */
export const numberListOptions = () =>
  queryOptions({
    queryKey: numberKeys.lists,
    queryFn: ({ signal }) => call(numbersApi.list, { query: { limit: 100 }, signal }),
  })

/** A change of the numbers; the list is read anew before it counts as done. */
function useNumberChange<I, O>(run: (input: I, intent: Intent) => Promise<O>) {
  const client = useQueryClient()
  return useChange({
    run,
    onSuccess: () =>
      Promise.all([numberKeys.all, choiceKeys.numbers].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

export const useConnectNumber = () =>
  useNumberChange((body: NewNumber, intent) => call(numbersApi.connect, { body, ...intent }))

export const useUpdateNumber = () =>
  useNumberChange((request: EndpointRequest<typeof numbersApi.update>, intent) =>
    call(numbersApi.update, { ...request, ...intent }),
  )

export const useRemoveNumber = () =>
  useNumberChange((id: string, intent) => call(numbersApi.remove, { params: { id }, ...intent }))
