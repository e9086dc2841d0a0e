import type { EndpointRequest } from '@parley/contracts/endpoint'
import { type NewWebhook, webhooksApi } from '@parley/contracts/webhooks'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { webhookKeys } from '../../lib/query-keys.ts'

/** Every webhook of the workspace: there are few. */
export const webhookListOptions = () =>
  queryOptions({
    queryKey: webhookKeys.lists,
    queryFn: ({ signal }) => call(webhooksApi.list, { query: { limit: 100 }, signal }),
  })

/** A change of the webhooks; the list is read anew before it counts as done. */
function useWebhookChange<I, O>(mutationFn: (input: I) => Promise<O>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.all }),
  })
}

export const useCreateWebhook = () => useWebhookChange((body: NewWebhook) => call(webhooksApi.create, { body }))

export const useUpdateWebhook = () =>
  useWebhookChange((request: EndpointRequest<typeof webhooksApi.update>) => call(webhooksApi.update, request))

export const useRemoveWebhook = () => useWebhookChange((id: string) => call(webhooksApi.remove, { params: { id } }))
