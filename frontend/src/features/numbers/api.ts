import type { EndpointRequest } from '@parley/contracts/endpoint'
import { type NewNumber, numbersApi } from '@parley/contracts/numbers'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { numberKeys } from '../../lib/query-keys.ts'

/** Every number of the workspace: there are few. */
export const numberListOptions = () =>
  queryOptions({
    queryKey: numberKeys.lists,
    queryFn: ({ signal }) => call(numbersApi.list, { query: { limit: 100 }, signal }),
  })

/** A change of the numbers; the list is read anew before it counts as done. */
function useNumberChange<I, O>(mutationFn: (input: I) => Promise<O>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: numberKeys.all }),
  })
}

export const useConnectNumber = () => useNumberChange((body: NewNumber) => call(numbersApi.connect, { body }))

export const useUpdateNumber = () =>
  useNumberChange((request: EndpointRequest<typeof numbersApi.update>) => call(numbersApi.update, request))

export const useRemoveNumber = () => useNumberChange((id: string) => call(numbersApi.remove, { params: { id } }))
