import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import type { DeliveryDetail, NewWebhook, ReplayRange, WebhookDelivery } from '@parley/contracts/platform/webhooks'
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { webhookKeys } from '../../lib/query-keys.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'

/** Every webhook of the workspace: there are few. */
export const webhookListOptions = () =>
  queryOptions({
    queryKey: webhookKeys.lists,
    queryFn: ({ signal }) => call(webhooksApi.list, { query: { limit: 100 }, signal }),
  })

/** Filters of the log. */
export interface LogFilter {
  readonly shown: 'all' | 'failed' | 'waiting'
  readonly type: WebhookEvent | undefined
}

const statesOf = { all: undefined, failed: ['exhausted', 'aborted'], waiting: ['due', 'sending'] } as const
const followMs = 2000
/** An attempt that is due by then is waited for. */
const soonMs = 10_000

/** The delivery log, the newest first. While something is about to be sent it is read again by itself. */
export const deliveryLogOptions = (id: string, { shown, type }: LogFilter) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.deliveries(id, { shown, type }),
    queryFn: ({ pageParam, signal }) =>
      call(webhooksApi.deliveries, {
        params: { id },
        query: {
          limit: 25,
          ...(pageParam !== null && { cursor: pageParam }),
          state: statesOf[shown],
          ...(type && { type }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some((delivery) => isUnderWay(delivery)) ? followMs : false,
  })

/** Returns whether a delivery is being attempted, or is about to be: the first time, by a replay, or by a retry whose time has come. */
const isUnderWay = ({ state, attempts, nextAttemptAt }: WebhookDelivery): boolean =>
  state === 'sending' || (state === 'due' && (attempts === 0 || Date.parse(nextAttemptAt ?? '') <= Date.now() + soonMs))

export const deliveryOptions = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: webhookKeys.delivery(id, deliveryId),
    queryFn: ({ signal }): Promise<DeliveryDetail> =>
      call(webhooksApi.delivery, { params: { id, deliveryId }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? followMs / 2 : false),
  })

export const replayOptions = (id: string, jobId: string) =>
  queryOptions({
    queryKey: webhookKeys.replay(id, jobId),
    queryFn: ({ signal }) => call(webhooksApi.replayJob, { params: { id, jobId }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data && data.state !== 'waiting' && data.state !== 'running' ? false : followMs,
  })

/** A change of the webhooks; the list is read anew before it counts as done. */
function useWebhookChange<I, O>(run: (input: I, intent: Intent) => Promise<O>) {
  const client = useQueryClient()
  return useChange({ run, onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.all }) })
}

export const useCreateWebhook = () =>
  useWebhookChange((body: NewWebhook, intent) => call(webhooksApi.create, { body, ...intent }))

export const useUpdateWebhook = () =>
  useWebhookChange((request: EndpointRequest<typeof webhooksApi.update>, intent) =>
    call(webhooksApi.update, { ...request, ...intent }),
  )

export const useRemoveWebhook = () =>
  useWebhookChange((id: string, intent) => call(webhooksApi.remove, { params: { id }, ...intent }))

export const useEnableWebhook = () =>
  useWebhookChange((id: string, intent) => call(webhooksApi.enable, { params: { id }, ...intent }))

export const useTestWebhook = () =>
  useWebhookChange(({ id, type }: { id: string; type: WebhookEvent }, intent) =>
    call(webhooksApi.test, { params: { id }, body: { type }, ...intent }),
  )

export const useRotateSecret = () =>
  useWebhookChange((request: EndpointRequest<typeof webhooksApi.rotateSecret>, intent) =>
    call(webhooksApi.rotateSecret, { ...request, ...intent }),
  )

export const useReplay = () =>
  useWebhookChange((params: { id: string; deliveryId: string }, intent) =>
    call(webhooksApi.replay, { params, ...intent }),
  )

export const useReplayRange = () =>
  useWebhookChange(({ id, ...body }: ReplayRange & { id: string }, intent) =>
    call(webhooksApi.replayRange, { params: { id }, body, ...intent }),
  )

export const useCancelReplay = () =>
  useWebhookChange((params: { id: string; jobId: string }, intent) =>
    call(webhooksApi.cancelReplay, { params, ...intent }),
  )
