import { mostUses, type TemplateUse } from '@parley/contracts/template-endpoints'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createCampaignsRepository } from './campaigns.repository.ts'

/** The campaigns that are to send a template, the latest first. */
export function createCampaignsOfTemplate(mongo: ServiceConnection, cursors: PageCursors) {
  const campaigns = createCampaignsRepository(mongo, cursors)
  return async (scope: WorkspaceScope, templateId: string): Promise<TemplateUse[]> => {
    const found = await campaigns.toSend(scope, templateId, mostUses)
    return found.map(({ id, name, status, scheduledFor }) => ({
      ...{ id, name, status: status as TemplateUse['status'] },
      ...(status === 'scheduled' && scheduledFor && { scheduledFor: scheduledFor.toISOString() }),
    }))
  }
}
