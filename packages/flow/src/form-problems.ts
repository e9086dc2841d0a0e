import type { Report } from './keyword-problems.ts'
import type { ReadNode } from './program.ts'

/** A form as WhatsApp has it. */
export interface NamedForm {
  readonly name: string
  readonly state: 'published' | 'draft' | 'blocked' | 'deprecated' | 'deleted'
  /** True where it asks a server of its own while it is filled in. */
  readonly hasEndpoint: boolean
  /** Numbers of the flow that cannot send it: they belong to another account. */
  readonly elsewhere: 'none' | 'some' | 'all'
}

/** Reports why a form cannot be sent, `undefined` for one that does not exist. */
export function formProblems({ id }: ReadNode, form: NamedForm | undefined, report: Report): void {
  if (!form) {
    report('unknown_form', id, 'This form does not exist at WhatsApp. Choose another.')
    return
  }
  const { name, state, hasEndpoint, elsewhere } = form
  if (state !== 'published') report('form_not_published', id, formSentences[state](name))
  else if (hasEndpoint)
    report('form_not_supported', id, `The form ${name} asks a server of its own. Choose one that needs none.`)
  if (elsewhere === 'all')
    report('form_elsewhere', id, `The form ${name} belongs to another WhatsApp account than the numbers used here.`)
  if (elsewhere === 'some')
    report('form_elsewhere', id, `Some of the numbers cannot send the form ${name}: it belongs to another account.`, {
      severity: 'warning',
    })
}

const formSentences = {
  draft: (name: string) => `The form ${name} is a draft. Publish it in WhatsApp Manager, or choose another.`,
  blocked: (name: string) => `WhatsApp has blocked the form ${name}. Choose another.`,
  deprecated: (name: string) => `The form ${name} is deprecated and cannot be sent any more. Choose another.`,
  deleted: (name: string) => `The form ${name} was deleted at WhatsApp. Choose another.`,
} as const satisfies Record<Exclude<NamedForm['state'], 'published'>, (name: string) => string>
