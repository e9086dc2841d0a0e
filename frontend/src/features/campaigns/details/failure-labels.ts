import type { RecipientPage } from '@parley/contracts/campaigns/campaign-recipients'
import { type FailureClass, failureClasses } from '@parley/contracts/campaigns/failure-classes'

/** Reasons why messages of a class have failed. */
export const failureLabels: Record<FailureClass, string> = {
  bad_contact: 'Could not be reached on WhatsApp',
  wait_24h: 'Held back by WhatsApp: they get much marketing',
  opted_out: 'Have stopped marketing messages',
  bad_value: 'Their values did not fit the template',
  fix_template: 'Something was wrong with the template',
  stop_number: 'The number or its account was stopped',
  retry: 'WhatsApp was busy, and stayed so',
  slow_number: 'Too many messages at once from the number',
  slow_contact: 'Too many messages at once to the customer',
  window_closed: 'The 24-hour window was closed',
  bad_request: 'WhatsApp refused it for another reason',
}

interface Reason {
  readonly class: FailureClass
  readonly count: number
}

/** Returns the number of failures by class of reason, the most frequent first; failures without a reason count as refused. */
export function reasonsOf(failures: RecipientPage['failures'], failed: number): Reason[] {
  const known = failures.reduce((sum, { count }) => sum + count, 0)
  const counted = failureClasses.map((failureClass) => {
    const classCount = failures
      .filter((failure) => failure.class === failureClass)
      .reduce((sum, { count }) => sum + count, 0)
    return {
      class: failureClass,
      count: failureClass === 'bad_request' ? classCount + Math.max(0, failed - known) : classCount,
    }
  })
  return counted.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count)
}
