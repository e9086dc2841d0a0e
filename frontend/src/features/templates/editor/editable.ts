import { type EditBudget, editBudget } from '@parley/contracts/template-edits'
import type { Template } from '@parley/contracts/templates'

/** Why WhatsApp would refuse any change of a template. */
export type Uneditable = 'unsupported' | 'pending' | 'disabled' | 'budget'

export const changesLeft = ({ editedAt = [] }: Template, now: Date): EditBudget => editBudget(editedAt, now)

/** @returns `undefined` where a change can be sent. */
export function uneditable(template: Template, now: Date): Uneditable | undefined {
  const { status, unsupported } = template
  if (unsupported) return 'unsupported'
  if (status === 'pending' || status === 'disabled') return status
  return status === 'approved' && changesLeft(template, now).nextAt ? 'budget' : undefined
}
