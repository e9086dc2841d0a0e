import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { editBudget, uneditable } from '@parley/contracts/templates/template-edits'
import type {
  ErrorRule,
  TemplateAdvice,
  TemplateProblem,
  WarningRule,
} from '@parley/contracts/templates/template-findings'
import type { JudgedTemplate } from '@parley/contracts/templates/template-problems'

/** Templates that an account may have, by whether its business is verified, and those that it may create in an hour (Cloud API, message templates: limits). */
export const accountLimits = { templates: 6000, unverifiedTemplates: 250, createsAnHour: 100 } as const

/** Rules that depend on facts of the account alone. */
export const accountRules: readonly (ErrorRule | WarningRule)[] = [
  ...(['name_taken', 'name_blocked', 'fixed_field', 'not_editable', 'edit_budget'] as const),
  ...([
    'template_limit',
    'creates_an_hour',
    'form_unusable',
    'template_limit_near',
    'same_text',
    'other_language',
  ] as const),
]

type Relative = JudgedTemplate & { readonly name: string }

/** Facts about the account that a template is written for. */
export interface LintFacts {
  readonly now: Date
  /** The template that it changes, as it is now; absent for a new one. WhatsApp does not have a draft: it is as new. */
  readonly stored?: (Pick<Relative, 'name' | 'language' | 'category'> & Parameters<typeof uneditable>[0]) | undefined
  /** True where another template has this name in this language, or a deleted one is still at WhatsApp. */
  readonly isNameTaken: boolean
  /** End of the time for which WhatsApp keeps the name of one deleted there. */
  readonly nameFreeAt?: Date | undefined
  /** Templates of the account, and those that were created within the last hour. */
  readonly count: number
  readonly createdLately: number
  /** True where WhatsApp may not have verified the business. */
  readonly maybeUnverified: boolean
  /** Other templates of the account with the same name in another language, or with the same body. */
  readonly related: readonly Relative[]
  /** Reasons why forms that its buttons open cannot be sent, by their ids. */
  readonly unusableForms?: ReadonlyMap<string, string> | undefined
}

/** Returns what the account does not allow now, whatever the template says. */
export const accountProblems = (content: Relative, facts: LintFacts): TemplateProblem[] => [
  ...placeProblems(content, facts),
  ...content.buttons.flatMap(({ form }, index): TemplateProblem[] => {
    const message = form === undefined ? undefined : facts.unusableForms?.get(form)
    return message === undefined ? [] : [{ rule: 'form_unusable', path: ['buttons', index, 'form'], message }]
  }),
]

/** Returns what of the account's other templates, or of this one as it is stored, leaves no place for it. */
function placeProblems({ name, language, category }: Relative, facts: LintFacts): TemplateProblem[] {
  const { stored, now } = facts
  const problem = (rule: TemplateProblem['rule'], field: string, message: string): TemplateProblem[] => [
    { rule, path: [field], message },
  ]
  if (stored && stored.status !== 'draft')
    return [
      ...(stored.name === name ? [] : problem('fixed_field', 'name', `${keeps} name`)),
      ...(stored.language === language ? [] : problem('fixed_field', 'language', `${keeps} language`)),
      ...(stored.status !== 'approved' || stored.category === category
        ? []
        : problem('fixed_field', 'category', 'WhatsApp keeps the category of an approved template')),
      ...editProblems(stored, now),
    ]
  return [
    ...(facts.isNameTaken
      ? problem('name_taken', 'name', 'There is already a template of this name in this language')
      : []),
    ...blockedName(facts),
    ...(facts.count >= accountLimits.templates
      ? problem('template_limit', 'name', `The account has ${facts.count} templates, as many as WhatsApp allows`)
      : []),
    ...(facts.createdLately >= accountLimits.createsAnHour
      ? problem(
          'creates_an_hour',
          'name',
          `WhatsApp takes ${accountLimits.createsAnHour} new templates an hour: send this one later`,
        )
      : []),
  ]
}

const keeps = 'WhatsApp keeps a template’s'

function editProblems(stored: NonNullable<LintFacts['stored']>, now: Date): TemplateProblem[] {
  const problem = (rule: TemplateProblem['rule'], message: string): TemplateProblem[] => [
    { rule, path: ['body'], message },
  ]
  switch (uneditable(stored, now)) {
    case undefined:
      return []
    case 'pending':
      return problem('not_editable', 'WhatsApp is reviewing this template: it can be changed once there is a verdict')
    case 'disabled':
      return problem('not_editable', 'WhatsApp has disabled this template: it cannot be changed')
    case 'unsupported':
      return problem('not_editable', 'It has a part that Parley cannot change')
    case 'budget': {
      const at = editBudget(stored.editedAt ?? [], now)
        .nextAt?.toISOString()
        .slice(0, 16)
        .replace('T', ' ')
      return problem('edit_budget', `WhatsApp allows the next change to this template at ${at} UTC`)
    }
  }
}

function blockedName({ nameFreeAt, now }: LintFacts): TemplateProblem[] {
  if (nameFreeAt === undefined || nameFreeAt <= now) return []
  const days = Math.ceil((nameFreeAt.getTime() - now.getTime()) / (24 * 3600_000))
  const message = `WhatsApp keeps the name of a deleted template for 30 days, this one for ${days === 1 ? 'one more day' : `${days} more days`}`
  return [{ rule: 'name_blocked', path: ['name'], message }]
}

/** Returns doubts about this template that arise from the account’s other templates. */
export function accountAdvice(content: Relative, facts: LintFacts): TemplateAdvice[] {
  const same = facts.related.find((other) => other.name !== content.name && textOf(other) === textOf(content))
  const different = facts.related
    .filter(({ name, language }) => name === content.name && language !== content.language)
    .flatMap((other) => differenceOf(content, other) ?? [])[0]
  return [
    ...(same
      ? [
          {
            rule: 'same_text' as const,
            path: ['body'],
            message: `${same.name} has the same text: WhatsApp often rejects duplicates`,
          },
        ]
      : []),
    ...(different ? [{ rule: 'other_language' as const, path: ['name'], message: different }] : []),
    ...((!facts.stored || facts.stored.status === 'draft') &&
    facts.maybeUnverified &&
    facts.count >= accountLimits.unverifiedTemplates
      ? [
          {
            rule: 'template_limit_near' as const,
            path: ['name'],
            message: `The account has ${facts.count} templates: WhatsApp allows ${accountLimits.unverifiedTemplates} until it has verified your business`,
          },
        ]
      : []),
  ]
}

const textOf = ({ header = '', body, footer = '', buttons, cards = [] }: Relative): string => {
  const textsOf = (some: Relative['buttons']) => some.map(({ kind, text, url, phone }) => [kind, text, url, phone])
  const onCards = cards.map((card) => [card.body, textsOf(card.buttons)])
  return JSON.stringify([header, body, footer, textsOf(buttons), onCards])
}

/** A campaign that chooses the language by contact could fill only one of the two. */
function differenceOf(content: Relative, other: Relative): string | undefined {
  const subject = `The template of this name in ${other.language}`
  if (content.category !== other.category) return `${subject} has the category ${other.category}`
  const keys = (template: Relative) => templatePlaceholders(template).toSorted().join(', ')
  if (keys(content) !== keys(other)) return `${subject} has other variables: ${keys(other) || 'none'}`
  const kinds = (template: Relative) => template.buttons.map(({ kind }) => kind).join()
  if (kinds(content) !== kinds(other)) return `${subject} has other buttons`
  const cardCount = (template: Relative) => template.cards?.length ?? 0
  return cardCount(content) === cardCount(other) ? undefined : `${subject} has another number of cards`
}
