import type { Endpoint, EndpointResponse } from '@parley/contracts/core/endpoint'
import { ApiError } from './api.ts'

/**
 * The record that stands in the way of a change, which the server sends along with `stale_version`.
 * @param endpoint the one that refused; it answers with the same kind of record.
 * @returns undefined for any other error.
 */
export function staleRecord<E extends Endpoint>(error: unknown, endpoint: E): EndpointResponse<E> | undefined {
  if (!(error instanceof ApiError) || error.body.code !== 'stale_version') return undefined
  // The endpoint's schema gives the record its type, which TypeScript cannot follow through the generic parameter.
  return endpoint.response?.safeParse(error.body.current).data as EndpointResponse<E> | undefined
}
