import { maxUses } from '@parley/contracts/templates/template-checks'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UseOfTemplate } from '../templates/template-uses.ts'
import { createCampaignsRepository } from './campaigns.repository.ts'
import { createDraftsRepository } from './drafts/drafts.repository.ts'

/** The campaigns that are to send a template, the latest first. */
export function createCampaignsOfTemplate(mongo: ServiceConnection, cursors: PageCursors) {
  const campaigns = createCampaignsRepository(mongo, cursors)
  return async (scope: WorkspaceScope, templateId: string): Promise<TemplateUse[]> => {
    const found = await campaigns.toSend(scope, templateId, maxUses)
    return found.map(({ id, name, status, scheduledFor }) => ({
      id,
      name,
      status: status as TemplateUse['status'],
      ...(status === 'scheduled' && scheduledFor && { scheduledFor: scheduledFor.toISOString() }),
    }))
  }
}

/** The same with drafts of campaigns, and with what each fills in. */
export function createUsesOfTemplate(mongo: ServiceConnection, cursors: PageCursors) {
  const campaigns = createCampaignsRepository(mongo, cursors)
  const drafts = createDraftsRepository(mongo)
  return async (scope: WorkspaceScope, templateId: string): Promise<UseOfTemplate[]> => {
    const [launched, written] = await Promise.all([
      campaigns.toSend(scope, templateId, maxUses),
      drafts.ofTemplate(scope, templateId, maxUses),
    ])
    return [
      ...launched.map(({ id, name, status, variables }) => ({
        id,
        name,
        status: status as TemplateUse['status'],
        variables,
      })),
      ...written.map(({ id, name, variables }) => ({ id, name, status: 'draft' as const, variables })),
    ]
  }
}
