import { ApiError } from './api.ts'

/** Why a call failed, as the server said it; the caller's own words where it said nothing. */
export const explain = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.body.message) || otherwise
