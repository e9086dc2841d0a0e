import { whoBreaks } from '@parley/contracts/templates/template-breaks'
import type { PriceChange, TemplateUsage, templateCheckApi } from '@parley/contracts/templates/template-checks'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import { predictedCategory } from '@parley/contracts/templates/template-findings'
import type { Template } from '@parley/contracts/templates/templates'
import { priceOf } from '@parley/contracts/usage/rate-cards'
import { countryOf } from '@parley/phone'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { z } from 'zod'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { RateCards } from '../usage/rate-cards/rate-cards.service.ts'
import type { TemplateLint } from './template-lint.service.ts'
import type { TemplateVersions } from './template-versions.ts'
import type { TemplatesService } from './templates.service.ts'

type Asked = z.infer<typeof templateCheckApi.usage.body>
type Linted = z.infer<typeof templateCheckApi.lint.body>

/** Functions of higher modules that this one calls. */
export interface AboveTemplates {
  /** Finds the campaigns that are to send a template. */
  readonly campaignsOf: (scope: WorkspaceScope, templateId: string) => Promise<TemplateUse[]>
  /** Finds the same with drafts, and what each fills in. */
  readonly usesOf: (scope: WorkspaceScope, templateId: string) => Promise<UseOfTemplate[]>
}

/** Checks templates before a change, and lists their uses. Each throws `not_found`. */
export function createTemplateChecks({
  find,
  numbers,
  lint,
  versions,
  rateCards,
  now,
  campaignsOf,
  usesOf,
}: Pick<AboveTemplates, 'campaignsOf' | 'usesOf'> & {
  find: TemplatesService['find']
  numbers: Pick<NumbersService, 'accountAccess' | 'list'>
  lint: Pick<TemplateLint, 'lint'>
  versions: Pick<TemplateVersions, 'list'>
  rateCards: Pick<RateCards, 'at'>
  now: Clock
}) {
  const priceChangeTo = createTemplatePrices({ rateCards, numbers, now })

  return {
    /** @throws `not_found`, `wrong_state`. */
    lintTemplate: async (scope: WorkspaceScope, { content, templateId, accountId }: Linted) => {
      const stored = templateId === undefined ? undefined : await find(scope, templateId)
      const businessAccountId =
        stored?.businessAccountId ?? (await numbers.accountAccess(scope, accountId))?.businessAccountId
      if (businessAccountId === undefined) throw errors.wrongState('No number of this account is connected.')
      const findings = await lint.lint(scope, content, { businessAccountId, stored })
      const predicted = predictedCategory(findings)
      if (predicted === undefined) return { findings }
      const priceChange = await priceChangeTo(scope, businessAccountId, { from: content.category, to: predicted })
      return { findings, predictedCategory: predicted, priceChange }
    },
    templateUses: async (scope: WorkspaceScope, id: string) => {
      await find(scope, id)
      return { campaigns: await campaignsOf(scope, id) }
    },
    templateUsage: async (scope: WorkspaceScope, id: string, { content, deleted }: Asked) => {
      const template = await find(scope, id)
      const uses = await usesOf(scope, id)
      const breaks = content || deleted ? whoBreaks(uses, template, deleted ? undefined : content) : []
      return {
        uses: uses.map(({ variables: _variables, ...use }, index) => ({ ...use, breaks: breaks[index] ?? [] })),
      }
    },
    templateVersions: async (scope: WorkspaceScope, id: string) => {
      await find(scope, id)
      return { items: await versions.list(scope, id) }
    },
  }
}

/** A campaign that is to send a template, or a draft of one, and what it fills in. */
export interface UseOfTemplate extends Pick<TemplateUsage, 'id' | 'name' | 'status'> {
  readonly variables: Readonly<Record<string, unknown>>
}

/** Prices a template's message in another category, by the workspace's current prices. */
function createTemplatePrices({
  rateCards,
  numbers,
  now,
}: {
  rateCards: Pick<RateCards, 'at'>
  numbers: Pick<NumbersService, 'list'>
  now: Clock
}) {
  /** @returns null where the prices do not tell both. */
  return async function changeTo(
    scope: WorkspaceScope,
    businessAccountId: string,
    { from, to }: { from: Template['category']; to: Template['category'] },
  ): Promise<PriceChange | null> {
    const [card, known] = await Promise.all([rateCards.at(scope, now()), numbers.list(scope)])
    const first = known.find((number) => number.businessAccountId === businessAccountId)
    const home = (first && countryOf(first.phoneNumber)) ?? null
    if (!card) return null
    const country = card.rates.some((rate) => rate.country === home) ? home : 'other'
    const nowMicros = priceOf(card.rates, country, from)
    const thenMicros = priceOf(card.rates, country, to)
    if (country === null || nowMicros === undefined || thenMicros === undefined) return null
    return { currency: card.currency, country, nowMicros, thenMicros }
  }
}
