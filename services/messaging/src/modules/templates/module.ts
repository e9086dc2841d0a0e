import type { Jobs } from '@parley/service-kit/queue/jobs'
import type { Platform } from '../../platform/platform.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { Media } from '../media/module.ts'
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
import { createTemplateSync } from './template-sync.service.ts'
import { createTemplateSyncs } from './template-syncs.ts'
import { createTemplateVersions } from './template-versions.ts'
import { createTemplatesRepository } from './templates.repository.ts'
import { createTemplatesService } from './templates.service.ts'

interface Lower extends Pick<Platform, 'mongo' | 'cursors' | 'transaction'>, AboveTemplates {
  readonly queues: { readonly jobs: (name: string) => Pick<Jobs, 'add'> }
  readonly media: Pick<Media['media'], 'find' | 'take'>
  readonly numbers: Pick<NumbersService, 'accountAccess' | 'accounts' | 'list'>
  readonly rateCards: Pick<RateCards, 'at'>
  /** Origin at which customers reach counted links; undefined where visits cannot be counted. */
  readonly linksUrl: string | undefined
}
export type Templates = ReturnType<typeof createTemplates>

/** Templates of messages: written and checked here, reviewed by WhatsApp, and compared with what is there. */
export function createTemplates(lower: Lower) {
  const { mongo, cursors, linksUrl } = lower
  const now = () => new Date()
  const repository = createTemplatesRepository(mongo, cursors)
  const templates = createTemplatesService({ templates: repository })
  const versions = createTemplateVersions(mongo)
  const syncs = createTemplateSyncs(mongo, now)
  const forms = createForms({ ...lower, syncs })
  const stored = {
    ...lower,
    versions,
    syncs,
    forms,
    now,
    store: createTemplateStore({ ...lower, versions, templates: repository }),
    reads: createTemplateReads(mongo, now),
    trackingAddress: linksUrl && `${linksUrl}/l/`,
    templates: repository,
    find: templates.find,
  }
  const headers = createTemplateHeaders(stored)
  const removal = createTemplateRemoval(stored)
  const parts = { ...stored, headers, removal, lint: createTemplateLint(stored) }
  return {
    templates,
    forms,
    ...createTemplateChecks(parts),
    templateTracking: { address: parts.trackingAddress ?? null },
    templateDrafts: createTemplateDrafts(parts),
    templateRemoval: removal,
    templateHeaders: headers,
    templateChanges: createTemplateChanges(parts),
    templateSync: createTemplateSync(parts),
    templateAdoption: createTemplateAdoption(parts),
    templateEvents: createTemplateEvents(parts),
  }
}
