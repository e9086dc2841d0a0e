import { type NewSegment, type Segment, segmentsApi } from '@parley/contracts/contacts/segments'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceKeys, contactKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

const invalidateSegments = (client: QueryClient) =>
  Promise.all([contactKeys.segments, choiceKeys.segments].map((queryKey) => client.invalidateQueries({ queryKey })))

/** Makes a segment, or changes the one that is named as it was when the builder opened. */
export function useSaveSegment() {
  const client = useQueryClient()
  return useChange({
    run: ({ of, fields }: { of: Pick<Segment, 'id' | 'version'> | undefined; fields: NewSegment }, intent) =>
      of
        ? call(segmentsApi.update, { params: { id: of.id }, body: { ...fields, version: of.version ?? 1 }, ...intent })
        : call(segmentsApi.create, { body: fields, ...intent }),
    onSuccess: async (saved) => {
      client.setQueryData<Segment[]>(
        contactKeys.segments,
        (before) => before && [...before.filter(({ id }) => id !== saved.id), saved],
      )
      await client.invalidateQueries({ queryKey: contactKeys.lists })
      await invalidateSegments(client)
    },
  })
}

type Params = EndpointRequest<typeof segmentsApi.remove>['params']

export function useRemoveSegment() {
  const client = useQueryClient()
  return useChange({
    run: (params: Params, intent) => call(segmentsApi.remove, { params, ...intent }),
    onSuccess: (_, { id }) => {
      client.setQueryData<Segment[]>(contactKeys.segments, (before) => before?.filter((one) => one.id !== id))
      return invalidateSegments(client)
    },
  })
}
