import { connectionsApi, type NewConnection } from '@parley/contracts/automation/connections'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceKeys, connectionKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

/** One connection with the flows that use it. */
export const connectionOptions = (id: string) =>
  queryOptions({
    queryKey: connectionKeys.one(id),
    queryFn: ({ signal }) => call(connectionsApi.read, { params: { id }, signal }),
    staleTime: 0,
  })

/** A change of connections; lists of them are read anew before it counts as done. */
function useConnectionChange<I, O>(run: (input: I) => Promise<O>) {
  const client = useQueryClient()
  return useChange({
    run,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: choiceKeys.connections }),
        client.invalidateQueries({ queryKey: connectionKeys.ones }),
      ]),
  })
}

type Change = EndpointInput<typeof connectionsApi.update>['body'] & { readonly id: string }

export const useCreateConnection = () =>
  useConnectionChange((body: NewConnection) => call(connectionsApi.create, { body }))
export const useUpdateConnection = () =>
  useConnectionChange(({ id, ...body }: Change) => call(connectionsApi.update, { params: { id }, body }))
export const useRemoveConnection = () =>
  useConnectionChange((id: string) => call(connectionsApi.remove, { params: { id } }))
