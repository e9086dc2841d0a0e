import { AuthError } from '../../lib/auth/auth-error.ts'

/** Returns the reason why something about an account failed, as the provider or the server gave it; else the page's own words. */
export const explain = (error: unknown, otherwise: string): string =>
  (error instanceof AuthError && error.providerMessage) || otherwise
