import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts'
import { ApiError } from '../api.ts'

/** Codes of failed sign-ins for which the page has texts. */
export const authErrorCodes = [
  'web-storage-unsupported',
  'cancelled-popup-request',
  'popup-closed-by-user',
  'popup-blocked',
  'network-request-failed',
  'unauthorized-domain',
  'internal-error',
  'invalid-auth-event',
  'invalid-api-key',
  'auth-domain-config-required',
] as const
export type AuthErrorCode = (typeof authErrorCodes)[number]

/** A failed sign-in, sign-up, mail or sign-out. It holds nothing that the person typed. */
export class AuthError extends Error {
  /** `internal-error` is all that has no code of its own, a refused password too. */
  readonly code: AuthErrorCode
  /** Message from the provider or the server, for people; `""` if there was none. */
  readonly providerMessage: string

  /** @param fallback the service's own text, where the provider has none. */
  constructor(code: AuthErrorCode, fallback: string, providerMessage = '') {
    super(providerMessage || fallback)
    this.name = 'AuthError'
    this.code = code
    this.providerMessage = providerMessage
  }
}

/**
 * The error of a library or of a call in our own terms. The original is not kept: the library's holds the request, password
 * in clear.
 */
export function authErrorOf(error: unknown, fallback: string): AuthError {
  return error instanceof AuthError ? error : new AuthError(codeOf(error), fallback, wordsOf(error))
}

/** The same for the result of a popup or redirect: there a refused code is one that was used before or came too late. */
export function eventErrorOf(error: unknown, fallback: string): AuthError {
  const { code, providerMessage } = authErrorOf(error, fallback)
  return new AuthError(isStale(error) ? 'invalid-auth-event' : code, fallback, providerMessage)
}

const isStale = (error: unknown): boolean =>
  error instanceof ErrorResponse
    ? error.error === 'invalid_grant'
    : error instanceof Error && /no matching state|state does not match|expected code/i.test(error.message)

/** Words of RFC 6749 and of our own façade. */
const codesOfAnswers: Readonly<Record<string, AuthErrorCode>> = {
  // The person said no on the provider's page, which is what closing it means too.
  access_denied: 'popup-closed-by-user',
  temporarily_unavailable: 'network-request-failed',
  unauthorized_domain: 'unauthorized-domain',
  invalid_auth_event: 'invalid-auth-event',
  invalid_api_key: 'invalid-api-key',
}

const unansweredStatuses = new Set([502, 503, 504])

function codeOf(error: unknown): AuthErrorCode {
  if (error instanceof ErrorResponse) return codesOfAnswers[error.error ?? ''] ?? 'internal-error'
  if (error instanceof ApiError) {
    if (unansweredStatuses.has(error.status)) return 'network-request-failed'
    return codesOfAnswers[error.body.code ?? ''] ?? 'internal-error'
  }
  return isUnanswered(error) ? 'network-request-failed' : 'internal-error'
}

/** True where no answer came, or not in time. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof ErrorTimeout ||
  (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError'))

function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.body.message ?? ''
  if (!(error instanceof ErrorResponse)) return ''
  // The façade repeats its error word where it has nothing to say to people.
  return error.error_description === error.error ? '' : (error.error_description ?? '')
}
