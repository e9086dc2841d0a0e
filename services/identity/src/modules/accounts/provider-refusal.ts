import { passwordTooCommon, tooShort } from '@parley/contracts/account/auth'
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
  /** Keycloak's sentence about it, where there is one; it has the number of a rule. */
  readonly description?: string | undefined
}

/** Returns the refusals in an answer above 399, whichever of the three shapes it has. */
function readRefusals(body: unknown): Refusal[] {
  const parsed = refusalSchema.safeParse(body)
  if (!parsed.success) return []
  if ('errors' in parsed.data) {
    return parsed.data.errors.map(({ errorMessage, field }) => ({ reason: errorMessage, field }))
  }
  if ('errorMessage' in parsed.data) return [{ reason: parsed.data.errorMessage, field: parsed.data.field }]
  return [{ reason: parsed.data.error, field: undefined, description: parsed.data.error_description }]
}

const accountNotFound = () => new AppError('account_not_found', 'There is no such account.')

/** Returns the error that a caller sees for a refused creation. */
export function creationError(answer: ProviderAnswer): AppError {
  const refusals = readRefusals(answer.body)
  if (answer.status === 409) {
    return new AppError('account_exists', 'There is an account with this email address already.')
  }
  const ofPassword = refusals.find(({ reason }) => reason.startsWith('invalidPassword'))
  if (ofPassword) return passwordError(ofPassword)
  if (refusals.some(({ field }) => field === 'email' || field === 'username')) {
    return new AppError('email_invalid', 'Enter a valid email address, like name@example.com.')
  }
  return unexpected(answer)
}

const atLeast = (count: number, what: string) =>
  `Password must contain at least ${count} ${what}${count === 1 ? '' : 's'}`

/** Sentences for Keycloak's policies, by the key of its message and the number of the rule. */
const sentences: Record<string, (count: number) => string> = {
  invalidPasswordMinLengthMessage: tooShort,
  invalidPasswordMaxLengthMessage: (count) => `Password must be at most ${count} characters`,
  invalidPasswordBlacklistedMessage: () => passwordTooCommon,
  invalidPasswordMinDigitsMessage: (count) => atLeast(count, 'digit'),
  invalidPasswordMinLowerCaseCharsMessage: (count) => atLeast(count, 'lower case letter'),
  invalidPasswordMinUpperCaseCharsMessage: (count) => atLeast(count, 'upper case letter'),
  invalidPasswordMinSpecialCharsMessage: (count) => atLeast(count, 'special character'),
  invalidPasswordNotUsernameMessage: () => 'Password must not be the email address',
  invalidPasswordNotEmailMessage: () => 'Password must not be the email address',
  invalidPasswordNotContainsUsernameMessage: () => 'Password must not contain the email address',
  invalidPasswordHistoryMessage: (count) => `Password must not be one of the last ${count}`,
}
const codes: Record<string, 'password_too_short' | 'password_too_common'> = {
  invalidPasswordMinLengthMessage: 'password_too_short',
  invalidPasswordBlacklistedMessage: 'password_too_common',
}

function passwordError({ reason, description }: Refusal): AppError {
  const sentence = sentences[reason]
  const [count] = /\d+/.exec(description ?? '') ?? []
  const needsCount = (sentence?.length ?? 0) > 0
  if (!sentence || (needsCount && count === undefined))
    return new AppError('password_refused', 'Password is not allowed here. Choose another', { detail: reason })
  return new AppError(codes[reason] ?? 'password_refused', sentence(Number(count)))
}

/** Returns the error that a caller sees when a call on one account fails; `sendsMail` tells a failed mail from a failed provider. */
export function accountError(answer: ProviderAnswer, { sendsMail }: { sendsMail: boolean }): AppError {
  if (answer.status === 404) return accountNotFound()
  if (answer.status === 500 && sendsMail) return errors.mailUnavailable(causeOf(answer))
  return unexpected(answer)
}

/** Returns the error for an answer that nothing in the call explains: a fault of the provider (5xx) or of our settings there (4xx). */
export function unexpected(answer: ProviderAnswer): AppError {
  return errors.identityProviderUnavailable(causeOf(answer))
}

/** Only the status and Keycloak's keys are logged: its descriptions may quote what a person typed. */
function causeOf({ status, body }: ProviderAnswer): Error {
  const reasons = readRefusals(body).map(({ reason }) => reason.replace(/\S+@\S+/g, '[address]').slice(0, 120))
  return new Error(`the identity provider answered ${status}: ${reasons.join('; ') || 'no reason'}`)
}
