import type { FailureClass } from '@parley/contracts/campaigns/failure-classes'
import { codeOf } from './error-codes.ts'
import type { GraphRefusal } from './graph-answer.ts'
import { type KnownError, known, type StoppedKind } from './known-error.ts'
import { knownErrors, noPermission } from './known-errors.ts'
import { setUpRefused } from './set-up-errors.ts'

const unknownCode: KnownError = known(
  'bad_request',
  'WhatsApp refused the message',
  'The code is not known to Parley. The exchange is kept with the message.',
)

/** Matches codes for templates, numbers and accounts. */
const isSetUpCode = (code: number): boolean => code >= 2_388_000 && code <= 2_388_999

/** Returns the meaning of a Cloud API error code: the class by which the sender acts, and words for a person. */
export function classifyError(code: number): KnownError {
  if (code >= 200 && code <= 299) return noPermission
  return knownErrors[code] ?? (isSetUpCode(code) ? setUpRefused : unknownCode)
}

/** Returns the meaning of a refusal, also where its code alone does not show it. */
export function classifyRefusal(refusal: GraphRefusal): KnownError {
  const { isThrottled, isTransient } = refusal
  const found = classifyError(codeOf(refusal))
  const tellsNothing = found.class === 'bad_request' || found.class === 'retry'
  if (isThrottled && tellsNothing) return classifyError(throttled)
  if (isTransient && found.class === 'bad_request') return classifyError(unavailable)
  return found
}
const throttled = 4
const unavailable = 2

const permissionCodes = Array.from({ length: 100 }, (_, index) => 200 + index)

/** The codes of these classes that are known: those that are not are {@link unknownCode}. */
export const codesOf = (classes: readonly FailureClass[]): number[] =>
  [...Object.keys(knownErrors).map(Number), ...permissionCodes].filter((code) =>
    classes.includes(classifyError(code).class),
  )

const width: Readonly<Record<StoppedKind, number>> = { marketing: 1, templates: 2, all: 3 }

/** Returns what a number that was stopped with a code does not send. */
export const stoppedBy = ({ code }: { readonly code: number }): StoppedKind => classifyError(code).stops?.what ?? 'all'

/** Returns whether one code stops more than another one has stopped already. */
export const stopsMore = (code: number, before: { readonly code: number } | undefined): boolean =>
  !before || width[stoppedBy({ code })] > width[stoppedBy(before)]

/** An outgoing message, as far as a stop depends on it. */
export interface Leaving {
  readonly isTemplate: boolean
  /** Category of its template. */
  readonly category?: string | undefined
}

/** Returns whether a stop keeps a message from leaving. @param stopped absent where nothing is stopped. */
export function isStopped(stopped: { readonly code: number } | undefined, { isTemplate, category }: Leaving): boolean {
  if (!stopped) return false
  const what = stoppedBy(stopped)
  return what === 'all' || (isTemplate && (what === 'templates' || category === 'marketing'))
}
