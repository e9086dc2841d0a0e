import { openWarnings, type TemplateFinding, type WarningRule } from '@parley/contracts/templates/template-findings'
import type { LintFacts } from '@parley/rules/template-account'
import { lintTemplate } from '@parley/rules/template-lint'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { Forms } from './forms.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'

type Judged = Parameters<typeof lintTemplate>[0]

const hourMs = 3600_000
/** Limit of a number whose business WhatsApp has not verified. */
const unverifiedLimit = 250

export type TemplateLint = ReturnType<typeof createTemplateLint>

/** Judges a template as it is written, with what is known of its account. */
export function createTemplateLint({
  templates,
  numbers,
  forms,
  now,
}: {
  templates: Pick<TemplatesRepository, 'byKey' | 'hiddenAs' | 'countAtWhatsApp' | 'countSent' | 'related'>
  numbers: Pick<NumbersService, 'list'>
  forms: Pick<Forms, 'whyNot'>
  now: Clock
}) {
  /** @param options.stored the template that it changes. */
  async function lint(
    scope: WorkspaceScope,
    content: Judged,
    { businessAccountId, stored }: { businessAccountId: string; stored?: TemplateRecord | undefined },
  ): Promise<TemplateFinding[]> {
    return lintTemplate(content, await factsOf(scope, content, { businessAccountId, stored }))
  }

  /** Returns, for each number of an account, how many customers it may write to first in a day; null is unlimited. */
  async function limitsOf(scope: WorkspaceScope, businessAccountId: string): Promise<(number | null)[]> {
    const accountNumbers = (await numbers.list(scope)).filter(
      (number) => number.businessAccountId === businessAccountId,
    )
    return accountNumbers.map(({ messagingLimit }) => messagingLimit)
  }

  /** Finds the forms of its buttons that the account cannot send, each with the reason, without a full stop. */
  async function unusableFormsOf(scope: WorkspaceScope, businessAccountId: string, { buttons }: Judged) {
    const ids = [...new Set(buttons.flatMap(({ form }) => form?.trim() || []))]
    const reasons = await Promise.all(ids.map((id) => forms.whyNot(scope, id, businessAccountId)))
    return new Map(ids.flatMap((id, index) => (reasons[index] ? [[id, reasons[index].replace(/\.$/, '')]] : [])))
  }

  async function factsOf(
    scope: WorkspaceScope,
    content: Judged,
    { businessAccountId, stored }: { businessAccountId: string; stored?: TemplateRecord | undefined },
  ): Promise<LintFacts> {
    const at = now()
    const key = templateKey(businessAccountId, content)
    const isNew = stored === undefined || stored.status === 'draft'
    const [sameName, hidden, count, createdLately, limits, related, unusableForms] = await Promise.all([
      isNew ? templates.byKey(scope, key) : null,
      isNew ? templates.hiddenAs(scope, key) : [],
      templates.countAtWhatsApp(scope, businessAccountId),
      templates.countSent(scope, businessAccountId, new Date(at.getTime() - hourMs)),
      limitsOf(scope, businessAccountId),
      templates.related(scope, businessAccountId, content),
      unusableFormsOf(scope, businessAccountId, content),
    ])
    const freeAt = Math.max(0, ...hidden.map(({ nameFreeAt }) => nameFreeAt?.getTime() ?? 0))
    return {
      now: at,
      stored,
      isNameTaken: (sameName !== null && sameName.id !== stored?.id) || hidden.some(({ deletedAt }) => !deletedAt),
      ...(freeAt > 0 && { nameFreeAt: new Date(freeAt) }),
      count,
      createdLately,
      maybeUnverified: limits.length > 0 && limits.every((limit) => limit === unverifiedLimit),
      unusableForms,
      related: related.filter(
        ({ id, key: relatedKey, status }) => id !== stored?.id && relatedKey !== key && status !== 'draft',
      ),
    }
  }

  /**
   * Throws where the account cannot take the template now, or a warning has not been accepted.
   * @throws `template_limit`, `warnings_open` with each beside its field.
   */
  async function refuse(
    scope: WorkspaceScope,
    content: Judged,
    {
      accepted,
      ...of
    }: {
      businessAccountId: string
      stored?: TemplateRecord | undefined
      accepted: readonly WarningRule[] | undefined
    },
  ): Promise<void> {
    const findings = await lint(scope, content, of)
    const limit = findings.find(({ rule }) => rule === 'template_limit' || rule === 'creates_an_hour')
    if (limit) throw new AppError('template_limit', `${limit.message}.`)
    const form = findings.find(({ rule }) => rule === 'form_unusable')
    if (form) throw errors.validation({ [form.path.join('.')]: `${form.message}.` })
    const open = openWarnings(findings, accepted)
    if (open.length === 0) return
    const message = `Confirm what WhatsApp may reject before you send it: ${open.map((one) => one.message).join('; ')}.`
    const fields = Object.fromEntries(open.map((one) => [one.path.join('.'), one.message]).toReversed())
    throw new AppError('warnings_open', message, { fields })
  }

  return { lint, refuse }
}
