/** Names one intent of a caller on an unsafe call, so that a retry of it is answered and not carried out again. */
export const idempotencyKeyHeader = 'Idempotency-Key'

/** The last event that a reader of a stream has seen (HTML standard, server-sent events). */
export const lastEventIdHeader = 'Last-Event-ID'

/** Error code of a service's refusal, for the BFF's own records: it goes no further. Lower case. */
export const errorCodeHeader = 'x-error-code'

/** The only request headers of a browser that a service sees; everything else stays at the BFF. Lower case. */
export const forwardedRequestHeaders = [
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'range',
] as const
