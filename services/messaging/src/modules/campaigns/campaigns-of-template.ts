import { maxUses } from '@parley/contracts/templates/template-checks'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UseOfTemplate } from '../templates/template-checks.service.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { DraftsRepository } from './drafts/drafts.repository.ts'

/** The campaigns that are to send a template, the latest first. */
export function createCampaignsOfTemplate({
  campaigns,
  drafts,
}: {
  campaigns: Pick<CampaignsRepository, 'toSend'>
  drafts: Pick<DraftsRepository, 'ofTemplate'>
}) {
  async function campaignsOf(scope: WorkspaceScope, templateId: string): Promise<TemplateUse[]> {
    const found = await campaigns.toSend(scope, templateId, maxUses)
    return found.map(({ id, name, status, scheduledFor }) => ({
      id,
      name,
      status: status as TemplateUse['status'],
      ...(status === 'scheduled' && scheduledFor && { scheduledFor: scheduledFor.toISOString() }),
    }))
  }

  /** The same with drafts of campaigns, and with what each fills in. */
  async function usesOf(scope: WorkspaceScope, templateId: string): Promise<UseOfTemplate[]> {
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

  return { campaignsOf, usesOf }
}
