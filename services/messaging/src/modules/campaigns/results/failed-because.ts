import { type FailureClass, failureClasses } from '@parley/contracts/campaigns/failure-classes'
import { codesOf } from '../../../whatsapp/error-classes.ts'
import { inStates } from '../recipients/recipient-lists.repository.ts'

const reasonsOf = (classes: readonly FailureClass[]): string[] => codesOf(classes).map(String)

/**
 * Rows that failed for reasons of some classes, and the index that has them in their order. A code that is not known counts as
 * `bad_request`, as it does everywhere, and so does a failure that came without one.
 * @param classes absent: all.
 */
export function failedBecause(classes: readonly FailureClass[] | undefined) {
  const failed = inStates('failed')
  if (!classes) return failed
  if (!classes.includes('bad_request'))
    return { index: 'by-reason', filter: { ...failed.filter, reason: { $in: reasonsOf(classes) } } }
  const others = failureClasses.filter((each) => !classes.includes(each))
  return { ...failed, filter: { ...failed.filter, reason: { $nin: reasonsOf(others) } } }
}
