import type { AttributeType } from '@parley/contracts/contacts/contact-attributes'
import { formatDay } from '../../lib/format.ts'

/** A day and a yes as people read them; what does not fit its field as it is. */
export function shownValue(value: string, type: AttributeType | undefined): string {
  if (type === 'yes_no') return { yes: 'Yes', no: 'No' }[value] ?? value
  if (type !== 'date' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return value
  return formatDay(value)
}
