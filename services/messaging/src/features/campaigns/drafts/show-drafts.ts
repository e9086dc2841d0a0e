import type { CampaignDraft } from '@parley/contracts/campaign-fields'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { SegmentsService } from '../../contacts/segments/segments.service.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { nameOfMissed, nameOfSegment } from './audience-names.ts'
import type { DraftRecord } from './drafts.model.ts'

export type ShowDrafts = ReturnType<typeof createShowDrafts>

/** Drafts as people look at them, with names as they are now: three reads for all of them. */
export function createShowDrafts({
  campaigns,
  segmentNames,
  readTemplates,
  shownContacts,
}: {
  campaigns: Pick<CampaignsRepository, 'readMany'>
  segmentNames: SegmentsService['namesOf']
  readTemplates: TemplatesService['readMany']
  shownContacts: ContactsService['shown']
}) {
  async function showMany(scope: WorkspaceScope, drafts: readonly DraftRecord[]): Promise<CampaignDraft[]> {
    const of = <T>(pick: (draft: DraftRecord) => T | undefined) => drafts.flatMap((draft) => pick(draft) ?? [])
    const [segments, templates, earlier] = await Promise.all([
      segmentNames(
        scope,
        of(({ audience }) => (audience?.kind === 'segment' ? audience.segmentId : undefined)),
      ),
      readTemplates(
        scope,
        of(({ templateId }) => templateId),
      ),
      earlierOf(
        scope,
        of(({ audience }) => (audience?.kind === 'campaign' ? audience.campaignId : undefined)),
      ),
    ])
    const audienceName = ({ audience, audienceName: stored }: DraftRecord): string => {
      if (audience?.kind === 'segment') return nameOfSegment(segments.get(audience.segmentId)) ?? stored
      if (audience?.kind === 'campaign') return nameOfMissed(earlier.get(audience.campaignId), audience) ?? stored
      return stored
    }
    return drafts.map((draft) => ({
      ...fieldsOf(draft),
      audienceName: audienceName(draft),
      templateName: templates.get(draft.templateId ?? '')?.name ?? draft.templateName,
    }))
  }

  /** With the names of the contacts that were chosen one by one, and of the campaign that it follows. */
  async function showOne(scope: WorkspaceScope, draft: DraftRecord): Promise<CampaignDraft> {
    const { audience } = draft
    const [[shown], contacts, earlier] = await Promise.all([
      showMany(scope, [draft]),
      shownContacts(scope, audience?.kind === 'contacts' ? audience.contactIds : []),
      earlierOf(scope, audience?.kind === 'campaign' ? [audience.campaignId] : []),
    ])
    const earlierName = audience?.kind === 'campaign' ? earlier.get(audience.campaignId) : undefined
    return {
      ...(shown ?? { ...fieldsOf(draft), audienceName: draft.audienceName, templateName: draft.templateName }),
      ...(audience?.kind === 'contacts' && {
        contacts: audience.contactIds.map((id) => ({ id, name: (contacts.get(id)?.name ?? '').slice(0, 200) })),
      }),
      ...(earlierName !== undefined && { earlierName }),
    }
  }

  async function earlierOf(scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, string>> {
    const found = ids.length > 0 ? await campaigns.readMany(scope, ids) : []
    return new Map(found.map(({ id, name }) => [id, name]))
  }

  return { showMany, showOne }
}

function fieldsOf(draft: DraftRecord): Omit<CampaignDraft, 'audienceName' | 'templateName'> {
  const { id, name, audience, numberId, templateId, variables, schedule, anyHour, recentDays, edition } = draft
  return {
    ...{ id, status: 'draft', name, variables: { ...variables }, version: edition },
    createdAt: draft.createdAt.toISOString(),
    updatedAt: draft.updatedAt.toISOString(),
    ...(audience && { audience }),
    ...(numberId !== undefined && { numberId }),
    ...(templateId !== undefined && { templateId }),
    ...(schedule && { schedule: { ...schedule } }),
    ...(anyHour && { anyHour }),
    ...(recentDays !== undefined && { recentDays }),
  }
}
