import type { Endpoint } from '@parley/contracts/core/endpoint'
import { type ErrorCode, errorStatus } from '@parley/contracts/core/errors'

interface Details {
  /** Field name → what is wrong with it. */
  readonly fields?: Record<string, string>
  /** `stale_version`: the record as it is now. */
  readonly current?: unknown
  /** `contact_exists`: who has the phone number. */
  readonly existing?: { readonly id: string; readonly name: string }
}

/** Refusal as a server would send it: throw it from a reply. */
export class Refusal extends Error {
  readonly status: number
  readonly body: { code: ErrorCode; message: string; requestId: string } & Details

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message)
    this.status = errorStatus[code]
    this.body = { code, message, requestId: 'test', ...details }
  }
}

export const refusal = (code: ErrorCode, message: string, fields?: Record<string, string>): Refusal =>
  new Refusal(code, message, fields && { fields })

/** @throws Refusal `stale_version` with the record, where a change was made from another version of it. */
export function refuseStale(what: string, current: { readonly version: number }, version: number): void {
  if (current.version !== version)
    throw new Refusal('stale_version', `This ${what} was changed elsewhere meanwhile.`, { current })
}

/** The parts of a request, as text or already parsed. */
interface RequestParts {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** Parses the parts of a request by the endpoint's schemas. @throws Refusal `validation_failed`. */
export function parseInput(endpoint: Endpoint, request: RequestParts): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const parsed = endpoint[part]?.safeParse(request[part] ?? {})
    if (parsed?.error) {
      const fields = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]))
      throw refusal('validation_failed', 'Some of the input is not valid.', fields)
    }
    input[part] = parsed?.data
  }
  return input
}
