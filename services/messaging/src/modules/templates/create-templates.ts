import { whoBreaks } from '@parley/contracts/templates/template-breaks'
import type { templateCheckApi } from '@parley/contracts/templates/template-checks'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import { predictedCategory } from '@parley/contracts/templates/template-findings'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { z } from 'zod'
import type { TemplateAccess } from '../../whatsapp/template-calls.ts'
import type { MediaService } from '../media/media.service.ts'
import type { RateCards } from '../usage/rate-cards/rate-cards.service.ts'
import { createSampleTemplates } from './sample-templates.ts'
import { createTemplateAdoption } from './template-adoption.ts'
import { createTemplateChanges } from './template-changes.service.ts'
import { createTemplateDrafts } from './template-drafts.ts'
import { createTemplateEvents } from './template-events.ts'
import { createTemplateHeaders } from './template-headers.ts'
import { createTemplateLint } from './template-lint.service.ts'
import { createTemplatePrices } from './template-prices.ts'
import { createTemplateReads } from './template-reads.ts'
import { createTemplateRemoval } from './template-removal.ts'
import { createTemplateStore } from './template-store.ts'
import { createTemplateSubmission } from './template-submission.ts'
import { createTemplateSync } from './template-sync.service.ts'
import { createTemplateSyncRuns } from './template-sync-runs.ts'
import { createTemplateSyncs } from './template-syncs.ts'
import type { UseOfTemplate } from './template-uses.ts'
import { createTemplateVersionsRepository } from './template-versions.repository.ts'
import { createTemplateVersions } from './template-versions.ts'
import { createTemplatesRepository } from './templates.repository.ts'
import { createTemplatesService } from './templates.service.ts'

type Asked = z.infer<typeof templateCheckApi.usage.body>
type Linted = z.infer<typeof templateCheckApi.lint.body>

/** Wires what there is of templates. */
export function createTemplates({
  mongo,
  cursors,
  transaction,
  accessOf,
  accountsOf,
  limitsOf,
  countryOf,
  cardAt,
  campaignsOf,
  usesOf,
  media,
  wakeSync,
  trackingAddress,
  now = () => new Date(),
}: {
  mongo: ServiceConnection
  cursors: PageCursors
  transaction: RunInTransaction
  /** An account and its token; that of the default number unless one is named. */
  accessOf: (scope: WorkspaceScope, accountId?: string) => Promise<TemplateAccess | undefined>
  /** The accounts of the numbers that are connected. */
  accountsOf: (scope: WorkspaceScope) => Promise<string[]>
  /** Returns, for each number of an account, how many customers it may write to first in a day; null is unlimited. */
  limitsOf: (scope: WorkspaceScope, businessAccountId: string) => Promise<(number | null)[]>
  /** Returns the country of an account's first number; null where it is not known. */
  countryOf: (scope: WorkspaceScope, businessAccountId: string) => Promise<string | null>
  cardAt: RateCards['at']
  /** The campaigns that are to send a template. */
  campaignsOf: (scope: WorkspaceScope, templateId: string) => Promise<TemplateUse[]>
  /** The same with drafts, and what each fills in. */
  usesOf: (scope: WorkspaceScope, templateId: string) => Promise<UseOfTemplate[]>
  media: Pick<MediaService, 'find' | 'describe'>
  /** Has due accounts compared without waiting for the sweep. */
  wakeSync: (records: readonly { id: string; workspaceId: string }[]) => Promise<void>
  /** Prefix of counted links; undefined where visits cannot be counted. */
  trackingAddress: string | undefined
  now?: Clock
}) {
  const repository = createTemplatesRepository(mongo, cursors)
  const versions = createTemplateVersions(createTemplateVersionsRepository(mongo))
  const store = createTemplateStore({ templates: repository, versions, transaction })
  const syncs = createTemplateSyncs(mongo, now)
  const runs = createTemplateSyncRuns(mongo, cursors)
  const reads = createTemplateReads(mongo, now)
  const templates = createTemplatesService({ templates: repository })
  const headers = createTemplateHeaders({ media, store, find: templates.find, campaignsOf })
  const submission = createTemplateSubmission({ store, sampleOf: headers.sampleOf, askSoon: syncs.askSoon })
  const removal = createTemplateRemoval({
    templates: repository,
    store,
    find: templates.find,
    accessOf,
    campaignsOf,
    now,
  })
  const priceChangeTo = createTemplatePrices({ cardAt, countryOf, now })
  const lint = createTemplateLint({ templates: repository, limitsOf, now })
  return {
    templates,
    /** @throws `not_found`, `wrong_state`. */
    lintTemplate: async (scope: WorkspaceScope, { content, templateId, accountId }: Linted) => {
      const stored = templateId === undefined ? undefined : await templates.find(scope, templateId)
      const businessAccountId = stored?.businessAccountId ?? (await accessOf(scope, accountId))?.businessAccountId
      if (businessAccountId === undefined) throw errors.wrongState('No number of this account is connected.')
      const findings = await lint.lint(scope, content, { businessAccountId, stored })
      const predicted = predictedCategory(findings)
      if (predicted === undefined) return { findings }
      const priceChange = await priceChangeTo(scope, businessAccountId, { from: content.category, to: predicted })
      return { findings, predictedCategory: predicted, priceChange }
    },
    templateTracking: { address: trackingAddress ?? null },
    /** @throws `not_found`. */
    templateUses: async (scope: WorkspaceScope, id: string) => {
      await templates.find(scope, id)
      return { campaigns: await campaignsOf(scope, id) }
    },
    /** @throws `not_found`. */
    templateUsage: async (scope: WorkspaceScope, id: string, { content, deleted }: Asked) => {
      const template = await templates.find(scope, id)
      const uses = await usesOf(scope, id)
      const breaks = content || deleted ? whoBreaks(uses, template, deleted ? undefined : content) : []
      return {
        uses: uses.map(({ variables: _variables, ...use }, index) => ({ ...use, breaks: breaks[index] ?? [] })),
      }
    },
    /** @throws `not_found`. */
    templateVersions: async (scope: WorkspaceScope, id: string) => {
      await templates.find(scope, id)
      return { items: await versions.list(scope, id) }
    },
    templateDrafts: createTemplateDrafts({
      versions,
      store,
      headers,
      accessOf,
      trackingAddress,
      now,
      refuseHidden: removal.refuseHidden,
      find: templates.find,
    }),
    templateRemoval: removal,
    templateHeaders: headers,
    templateChanges: createTemplateChanges({
      templates: repository,
      refuseHidden: removal.refuseHidden,
      headers,
      lint,
      store,
      submission,
      find: templates.find,
      accessOf,
      campaignsOf,
      trackingAddress,
      now,
    }),
    templateSync: createTemplateSync({
      templates: repository,
      store,
      syncs,
      runs,
      accessOf,
      accountsOf,
      transaction,
      now,
      wake: wakeSync,
    }),
    templateAdoption: createTemplateAdoption({
      templates: repository,
      store,
      reads,
      accessOf,
      now,
      askSoon: syncs.askSoon,
    }),
    templateEvents: createTemplateEvents({
      templates: repository,
      store,
      askSoon: syncs.askSoon,
      askToRead: reads.ask,
    }),
    sampleTemplates: createSampleTemplates(mongo),
  }
}
