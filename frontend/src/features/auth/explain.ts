import { AuthError } from '../../lib/auth/auth-error.ts'

/** Why something about an account failed, as the provider or the server said it; the page's own words where neither did. */
export const explain = (error: unknown, otherwise: string): string =>
  (error instanceof AuthError && error.providerMessage) || otherwise
