import { ApiError } from './api.ts'

/** Returns the reason why a call failed: as the server gave it, or that there is no network, or the caller's own words. */
export function explain(error: unknown, otherwise: string): string {
  if (error instanceof ApiError) return error.body.message || otherwise
  return navigator.onLine ? otherwise : 'You are offline. Nothing was changed; try again once you are connected.'
}
