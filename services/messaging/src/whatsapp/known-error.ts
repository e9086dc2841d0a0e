import type { FailureClass } from '@parley/contracts/campaigns/failure-classes'
import type { messageActions } from '@parley/contracts/inbox/message-endpoints'

/** The button that stands beside an error. */
type NextStep = (typeof messageActions)[number] | 'none'

/** Messages that no longer leave: everything, templates but no replies, or marketing alone. */
export type StoppedKind = 'all' | 'templates' | 'marketing'

export interface KnownError {
  readonly class: FailureClass
  /** The event, in words for a person. */
  readonly title: string
  /** Action that the person can take. */
  readonly advice: string
  readonly nextStep: NextStep
  /** Scope of `stop_number`: what it stops, and for one number or for every number of its account. */
  readonly stops?: { readonly what: StoppedKind; readonly of: 'number' | 'account' } | undefined
  /** Pauses of `retry`: the wait before the first retry, and the maximum retries, where they differ from the usual. */
  readonly retries?: { readonly firstMs?: number; readonly most?: number } | undefined
}

/** @param over what is not as usual for the class. */
export const known = (
  errorClass: FailureClass,
  title: string,
  advice: string,
  over: Partial<Omit<KnownError, 'class' | 'title' | 'advice'>> = {},
): KnownError => ({
  class: errorClass,
  title,
  advice,
  nextStep: usualStep[errorClass],
  ...(errorClass === 'stop_number' && { stops: { what: 'all', of: 'number' } }),
  ...over,
})

const usualStep: Record<FailureClass, NextStep> = {
  retry: 'retry',
  slow_number: 'retry',
  slow_contact: 'retry',
  wait_24h: 'none',
  stop_number: 'fix_number',
  fix_template: 'fix_template',
  bad_value: 'send_template',
  bad_file: 'send_template',
  window_closed: 'send_template',
  opted_out: 'none',
  bad_contact: 'none',
  bad_request: 'none',
}
