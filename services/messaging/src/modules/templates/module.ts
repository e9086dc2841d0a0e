import type { Jobs } from '@parley/service-kit/queue/jobs'
import type { Platform } from '../../platform/platform.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { Media } from '../media/module.ts'
import { createReleasedNotes } from '../media/released-notes.ts'
import type { RateCards } from '../usage/rate-cards/rate-cards.service.ts'
import { createForms } from './forms.ts'
import { createTemplateAdoption } from './template-adoption.ts'
import { createTemplateChanges } from './template-changes.service.ts'
import { type AboveTemplates, createTemplateChecks } from './template-checks.service.ts'
import { createTemplateDrafts } from './template-drafts.ts'
import { createTemplateEvents } from './template-events.ts'
import { createTemplateHeaders } from './template-headers.ts'
import { createTemplateLint } from './template-lint.service.ts'
import { createTemplateReads } from './template-reads.ts'
import { createTemplateRemoval } from './template-removal.ts'
import { createTemplateStore } from './template-store.ts'
import { createTemplateSubmission } from './template-submission.ts'
import { createTemplateSync } from './template-sync.service.ts'
import { createTemplateSyncRuns } from './template-sync-runs.ts'
import { createTemplateSyncs } from './template-syncs.ts'
import { createTemplateVersionsRepository } from './template-versions.repository.ts'
import { createTemplateVersions } from './template-versions.ts'
import { createTemplatesRepository } from './templates.repository.ts'
import { createTemplatesService } from './templates.service.ts'

export type { AboveTemplates } from './template-checks.service.ts'

interface Lower {
  readonly media: Pick<Media['media'], 'find' | 'take'>
  readonly numbers: Pick<NumbersService, 'accountAccess' | 'accounts' | 'list'>
  readonly rateCards: Pick<RateCards, 'at'>
}
type TemplatesPlatform = Pick<Platform, 'mongo' | 'cursors' | 'transaction'> & {
  readonly queues: { readonly jobs: (name: string) => Pick<Jobs, 'add'> }
}
export type Templates = ReturnType<typeof createTemplates>

/** @param settings.linksUrl origin at which customers reach counted links; undefined where visits cannot be counted. */
export function createTemplates(
  platform: TemplatesPlatform,
  lower: Lower,
  above: AboveTemplates,
  settings: { readonly linksUrl: string | undefined },
) {
  const { mongo, cursors, queues } = platform
  const { numbers } = lower
  const now = () => new Date()
  const repository = createTemplatesRepository(mongo, cursors)
  const versions = createTemplateVersions(createTemplateVersionsRepository(mongo))
  const store = createTemplateStore({
    ...platform,
    versions,
    released: createReleasedNotes(mongo),
    templates: repository,
  })
  const syncs = createTemplateSyncs(mongo, now)
  const runs = createTemplateSyncRuns(mongo, cursors)
  const reads = createTemplateReads(mongo, now)
  const forms = createForms({ mongo, syncs, numbers })
  const templates = createTemplatesService({ templates: repository })
  const trackingAddress = settings.linksUrl && `${settings.linksUrl}/l/`
  const stored = {
    ...platform,
    ...above,
    ...lower,
    versions,
    store,
    syncs,
    runs,
    reads,
    forms,
    now,
    trackingAddress,
    templates: repository,
    find: templates.find,
  }
  const headers = createTemplateHeaders(stored)
  const submission = createTemplateSubmission({ ...stored, headers })
  const removal = createTemplateRemoval(stored)
  const lint = createTemplateLint(stored)
  const parts = { ...stored, headers, submission, lint, removal }
  return {
    templates,
    forms,
    ...createTemplateChecks(parts),
    templateTracking: { address: trackingAddress ?? null },
    templateDrafts: createTemplateDrafts(parts),
    templateRemoval: removal,
    templateHeaders: headers,
    templateChanges: createTemplateChanges(parts),
    templateSync: createTemplateSync({
      ...parts,
      wake: (records) => queues.jobs('template-sync').add(records.map(({ id, workspaceId }) => ({ id, workspaceId }))),
    }),
    templateAdoption: createTemplateAdoption(parts),
    templateEvents: createTemplateEvents(parts),
  }
}
