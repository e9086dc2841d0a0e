import { AppError } from '@parley/service-kit/core/errors'
import { OutboundError } from '@parley/service-kit/core/outbound-error'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'

/** Reason why the file of a recipient cannot be sent. */
export class FileFault extends Error {
  readonly code: number
  /** True where another attempt may succeed. */
  readonly isTemporary: boolean
  /** Milliseconds that the host has asked to wait. */
  readonly retryAfterMs: number
  constructor(
    kind: keyof typeof fileFaultCodes,
    detail: string,
    over: { temporary?: boolean; retryAfterMs?: number } = {},
  ) {
    super(detail.slice(0, 500))
    this.name = 'FileFault'
    this.code = fileFaultCodes[kind]
    this.isTemporary = over.temporary ?? false
    this.retryAfterMs = over.retryAfterMs ?? 0
  }
}

/** Other files are being fetched from the host: this one has not had its turn. */
export class HostBusy extends FileFault {
  constructor() {
    super('unreachable', 'Its server is busy with other files.', { temporary: true })
  }
}

/** Returns an answer's fault; undefined where it has the file. */
export function statusFault(status: number, retryAfter: unknown): FileFault | undefined {
  if (status >= 200 && status < 300) return undefined
  const detail = `Its server answered ${status}.`
  if (status === 404 || status === 410) return new FileFault('missing', detail)
  const isTemporary = status >= 500 || status === 429 || status === 408
  if (!isTemporary) return new FileFault('refused', detail)
  const seconds = Number(retryAfter)
  return new FileFault('unreachable', detail, {
    temporary: true,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
  })
}

/** Returns a failed fetch's fault; undefined for what is no fault of the file. */
export function faultOf(error: unknown): FileFault | undefined {
  if (error instanceof FileFault) return error
  if (error instanceof OutboundError) {
    if (error.reason === 'address_refused')
      return new FileFault('address_refused', `Its address is not called: ${error.message}.`)
    const words = { timeout: 'Its server took too long.', unreachable: 'Its server cannot be reached.' }
    const detail = error.reason === 'timeout' || error.reason === 'unreachable' ? words[error.reason] : undefined
    return new FileFault('unreachable', detail ?? 'Its server has no valid certificate.', { temporary: true })
  }
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'body_too_large') return new FileFault('too_large', error.message)
  if (error.code === 'unsupported_media_type') return new FileFault('wrong_type', error.message)
  if (error.code === 'validation_failed') return new FileFault('wrong_type', 'The picture cannot be read.')
  return error.code === 'storage_full' ? new FileFault('storage_full', error.message) : undefined
}
