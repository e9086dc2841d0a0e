import { type ErrorBody, type ErrorCode, errorStatus } from '@parley/contracts/core/errors'

interface ErrorOptions {
  /** Field name → what is wrong with it, in words for the person who typed it. */
  fields?: Record<string, string>
  /** `stale_version`: the record as it is now, in the shape that its endpoint answers with. */
  current?: unknown
  /** `contact_exists`: the contact that has the phone number already. */
  existing?: ErrorBody['existing']
  /** Logged with the request, never sent. */
  detail?: string
  /** Seconds after which the caller may try again (`Retry-After`). */
  retryAfterSeconds?: number
  cause?: unknown
}

/** The one error class of every process: a stable code and a public message; detail and cause stay in the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly current: unknown
  readonly existing: ErrorBody['existing']
  readonly detail: string | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = errorStatus[code]
    this.fields = options.fields
    this.current = options.current
    this.existing = options.existing
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Returns the wire form of an error. Anything that is not an {@link AppError} becomes a bare `internal_error`. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const known = error instanceof AppError ? error : errors.internal()
  const { code, message, fields, current, existing } = known
  return {
    code,
    message,
    requestId,
    ...(fields && { fields }),
    ...(current !== undefined && { current }),
    ...(existing && { existing }),
  }
}

/** Errors that more than one place answers with. */
export const errors = {
  badRequest: (message: string, options?: ErrorOptions) => new AppError('bad_request', message, options),
  malformedJson: () => new AppError('malformed_json', 'The body is not valid JSON.'),
  /** The message is that of the first field, so that a client which shows only `message` still says something useful. */
  validation: (fields: Record<string, string>) =>
    new AppError('validation_failed', Object.values(fields)[0] ?? 'Something in the request is not valid.', { fields }),
  unauthenticated: (options?: ErrorOptions) => new AppError('unauthenticated', 'Sign in to continue.', options),
  sessionExpired: () => new AppError('session_expired', 'Your session has ended. Sign in again.'),
  tokenRejected: (detail: string) => new AppError('token_rejected', 'Sign in again to continue.', { detail }),
  forbidden: (message = 'You may not do this.') => new AppError('forbidden', message),
  notFound: (message = 'There is nothing at this address.') => new AppError('not_found', message),
  wrongState: (message: string) => new AppError('wrong_state', message),
  /** @param current the record as it is now, as its endpoint answers with it. */
  staleVersion: (current: unknown) =>
    new AppError('stale_version', 'Someone else has changed this in the meantime.', { current }),
  methodNotAllowed: () => new AppError('method_not_allowed', 'This address does not take that method.'),
  bodyTooLarge: (limitBytes: number) =>
    new AppError('body_too_large', `The request is larger than ${Math.floor(limitBytes / 1024)} KiB.`),
  unsupportedMediaType: (expected: string) =>
    new AppError('unsupported_media_type', `Send this request as ${expected}.`),
  rateLimited: (retryAfterSeconds: number, message = 'Too many attempts. Wait a little and try again.') =>
    new AppError('rate_limited', message, { retryAfterSeconds }),
  internal: (cause?: unknown) =>
    new AppError('internal_error', 'Something went wrong on our side. Try again.', { cause }),
  sessionStoreUnavailable: (cause?: unknown) =>
    new AppError('session_store_unavailable', 'Parley cannot reach its session store right now. Try again shortly.', {
      cause,
      retryAfterSeconds: 5,
    }),
  identityProviderUnavailable: (cause?: unknown) =>
    new AppError('identity_provider_unavailable', 'Sign-in is not available right now. Try again shortly.', {
      cause,
      retryAfterSeconds: 5,
    }),
  mailUnavailable: (cause?: unknown) =>
    new AppError('mail_unavailable', 'The mail could not be sent. Try again shortly.', {
      cause,
      retryAfterSeconds: 30,
    }),
  /** Reports a store that answers and refuses writes: its disk is full, or writes are blocked. */
  writesUnavailable: (cause?: unknown) =>
    new AppError('writes_unavailable', 'Parley cannot save anything right now. Try again shortly.', {
      cause,
      retryAfterSeconds: 30,
    }),
  serviceUnavailable: (cause?: unknown) =>
    new AppError('service_unavailable', 'Parley is not available right now. Try again shortly.', {
      cause,
      retryAfterSeconds: 5,
    }),
}
