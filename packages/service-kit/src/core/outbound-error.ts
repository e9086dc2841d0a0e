/** Faults of a server's certificate; `tls_failed` is anything else about the encrypted connection. */
type CertificateFault = 'certificate_expired' | 'certificate_other_name' | 'certificate_untrusted' | 'tls_failed'

/** Failure of a call to an address that a person typed: it was refused, or given up. */
export class OutboundError extends Error {
  readonly reason: 'address_refused' | 'timeout' | 'too_large' | 'unreachable' | CertificateFault
  /** True where no byte of the request can have left: it was refused here, or no connection came about. */
  readonly isUnsent: boolean
  constructor(reason: OutboundError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutboundError'
    this.reason = reason
    this.isUnsent =
      cause === undefined
        ? reason === 'address_refused' || reason === 'unreachable'
        : reason.startsWith('certificate_') || isBeforeConnection(cause)
  }
}

/** Returns the failure of a call that has thrown. */
export function outboundFailure(error: unknown, signal: AbortSignal, timeoutMs: number): OutboundError {
  if (error instanceof OutboundError) return error
  if (signal.aborted) return new OutboundError('timeout', `no answer within ${timeoutMs} ms`, error)
  const fault = certificateFault(error)
  if (fault) return new OutboundError(fault, 'no encrypted connection came about', error)
  return new OutboundError('unreachable', 'the address cannot be reached', error)
}

/** Codes of errors that end a call before it has a connection; a host without an address is one of them. */
const codesBeforeConnection: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

/** Connecting to several addresses fails with all of their errors. */
function isBeforeConnection(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isBeforeConnection)
  return error instanceof Error && 'code' in error && codesBeforeConnection.has(String(error.code))
}

const faultsByCode: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_other_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
}

/** By the codes of Node and OpenSSL. */
function certificateFault(error: unknown): CertificateFault | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  return faultsByCode[code] ?? (/^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code) ? 'tls_failed' : undefined)
}
