import { AppError, errors } from '@parley/service-kit/core/errors'
import { z } from 'zod'
import type { ProviderAnswer } from './provider-request.ts'

/** Keycloak's three shapes of an error: OAuth's own, its own, and a list of its own. */
const refusalSchema = z.union([
  z.object({ error: z.string(), error_description: z.string().optional() }),
  z.object({ errorMessage: z.string(), field: z.string().optional() }),
  z.object({ errors: z.array(z.object({ errorMessage: z.string(), field: z.string().optional() })).min(1) }),
])

interface Refusal {
  /** Keycloak's own words or key: `invalidPasswordMinLengthMessage`, `User exists with same email`. */
  readonly reason: string
  readonly field: string | undefined
}

/** What an answer above 399 says, whichever of the three shapes it has. */
function readRefusals(body: unknown): Refusal[] {
  const parsed = refusalSchema.safeParse(body)
  if (!parsed.success) return []
  if ('errors' in parsed.data) {
    return parsed.data.errors.map(({ errorMessage, field }) => ({ reason: errorMessage, field }))
  }
  if ('errorMessage' in parsed.data) return [{ reason: parsed.data.errorMessage, field: parsed.data.field }]
  return [{ reason: parsed.data.error, field: undefined }]
}

const accountNotFound = () => new AppError('account_not_found', 'There is no such account.')

/** The error that a caller sees for a refused creation. */
export function creationError(answer: ProviderAnswer): AppError {
  const refusals = readRefusals(answer.body)
  if (answer.status === 409) {
    return new AppError('account_exists', 'There is an account with this email address already.')
  }
  if (refusals.some(({ reason }) => reason.startsWith('invalidPassword'))) {
    return new AppError('password_too_short', 'Password must be at least 6 characters')
  }
  if (refusals.some(({ field }) => field === 'email' || field === 'username')) {
    return new AppError('email_invalid', 'Enter a valid email address, like name@example.com.')
  }
  return unexpected(answer)
}

/** The error that a caller sees when a call on one account fails; `sendsMail` tells a failed mail from a failed provider. */
export function accountError(answer: ProviderAnswer, { sendsMail }: { sendsMail: boolean }): AppError {
  if (answer.status === 404) return accountNotFound()
  if (answer.status === 500 && sendsMail) return errors.mailUnavailable(causeOf(answer))
  return unexpected(answer)
}

/** An answer that nothing the caller sends explains: a fault of the provider (5xx) or of our settings there (4xx). */
export function unexpected(answer: ProviderAnswer): AppError {
  return errors.identityProviderUnavailable(causeOf(answer))
}

/** Only the status and Keycloak's keys are logged: its descriptions may quote what a person typed. */
function causeOf({ status, body }: ProviderAnswer): Error {
  const reasons = readRefusals(body).map(({ reason }) => reason.replace(/\S+@\S+/g, '[address]').slice(0, 120))
  return new Error(`the identity provider answered ${status}: ${reasons.join('; ') || 'no reason'}`)
}
