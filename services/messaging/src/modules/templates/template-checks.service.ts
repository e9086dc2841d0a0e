import { whoBreaks } from '@parley/contracts/templates/template-breaks'
import type { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { predictedCategory } from '@parley/contracts/templates/template-findings'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { z } from 'zod'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { AboveTemplates } from './module.ts'
import type { TemplateLint } from './template-lint.service.ts'
import type { createTemplatePrices } from './template-prices.ts'
import type { TemplateVersions } from './template-versions.ts'
import type { TemplatesService } from './templates.service.ts'

type Asked = z.infer<typeof templateCheckApi.usage.body>
type Linted = z.infer<typeof templateCheckApi.lint.body>

/** Tells what would become of a template, and who uses it. Each throws `not_found`. */
export function createTemplateChecks({
  find,
  numbers,
  lint,
  versions,
  priceChangeTo,
  campaignsOf,
  usesOf,
}: Pick<AboveTemplates, 'campaignsOf' | 'usesOf'> & {
  find: TemplatesService['find']
  numbers: Pick<NumbersService, 'accountAccess'>
  lint: Pick<TemplateLint, 'lint'>
  versions: Pick<TemplateVersions, 'list'>
  priceChangeTo: ReturnType<typeof createTemplatePrices>
}) {
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
