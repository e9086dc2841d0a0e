import type { CampaignDraft } from '@parley/contracts/campaigns/campaign-fields'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { AudienceNames } from './audience-names.ts'
import type { DraftRecord } from './drafts.model.ts'

export type ShowDrafts = ReturnType<typeof createShowDrafts>

/** Drafts as people look at them, with names as they are now: a few reads for all of them. */
export function createShowDrafts({
  audienceNames,
  campaigns: { readMany: readCampaigns },
  templates: { readMany: readTemplates },
  contacts: { shown: shownContacts },
}: {
  audienceNames: AudienceNames
  campaigns: Pick<CampaignsRepository, 'readMany'>
  templates: Pick<TemplatesService, 'readMany'>
  contacts: Pick<ContactsService, 'shown'>
}) {
  async function showMany(scope: WorkspaceScope, drafts: readonly DraftRecord[]): Promise<CampaignDraft[]> {
    const of = <T>(pick: (draft: DraftRecord) => T | undefined) => drafts.flatMap((draft) => pick(draft) ?? [])
    const [nameOf, templates] = await Promise.all([
      audienceNames(
        scope,
        of(({ audience }) => audience),
      ),
      readTemplates(
        scope,
        of(({ templateId }) => templateId),
      ),
    ])
    return drafts.map((draft) => ({
      ...fieldsOf(draft),
      audienceName: (draft.audience && nameOf(draft.audience)) ?? draft.audienceName,
      templateName: templates.get(draft.templateId ?? '')?.name ?? draft.templateName,
    }))
  }

  /** Shows a draft with the names of contacts chosen one by one, and of the campaign that it follows. */
  async function showOne(scope: WorkspaceScope, draft: DraftRecord): Promise<CampaignDraft> {
    const { audience } = draft
    const [[shown], contacts, [earlier]] = await Promise.all([
      showMany(scope, [draft]),
      shownContacts(scope, audience?.kind === 'contacts' ? audience.contactIds : []),
      audience?.kind === 'campaign' ? readCampaigns(scope, [audience.campaignId]) : [],
    ])
    return {
      ...(shown ?? { ...fieldsOf(draft), audienceName: draft.audienceName, templateName: draft.templateName }),
      ...(audience?.kind === 'contacts' && {
        contacts: audience.contactIds.map((id) => ({ id, name: (contacts.get(id)?.name ?? '').slice(0, 200) })),
      }),
      ...(earlier && { earlierName: earlier.name }),
    }
  }

  return { showMany, showOne }
}

function fieldsOf(draft: DraftRecord): Omit<CampaignDraft, 'audienceName' | 'templateName'> {
  const { id, name, audience, numberId, templateId, variables, schedule, anyHour, recentDays, retryHeldBack, edition } =
    draft
  const { recipientFile } = draft
  return {
    id,
    status: 'draft',
    name,
    variables: { ...variables },
    version: edition,
    createdAt: draft.createdAt.toISOString(),
    updatedAt: draft.updatedAt.toISOString(),
    // Chosen contacts may have been erased since.
    ...(audience && !(audience.kind === 'contacts' && audience.contactIds.length === 0) && { audience }),
    ...(numberId !== undefined && { numberId }),
    ...(templateId !== undefined && { templateId }),
    ...(schedule && { schedule: { ...schedule } }),
    ...(anyHour && { anyHour }),
    ...(retryHeldBack && { retryHeldBack }),
    ...(recentDays !== undefined && { recentDays }),
    ...(recipientFile && { recipientFile }),
  }
}
