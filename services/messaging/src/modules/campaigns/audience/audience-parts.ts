import type { Audience, Exclusion } from '@parley/contracts/campaigns/campaign-fields'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactListsService } from '../../contacts/contact-lists.service.ts'
import { type ContactPart, partOfIds, together } from '../../contacts/contact-query.ts'
import type { ContactRecord, ContactsService } from '../../contacts/contacts.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { segmentsIn } from '../drafts/audience-names.ts'
import type { MissedAudience } from './retarget-audience.ts'

type ImportAudience = Extract<Audience, { kind: 'import' }>
/** Contacts that are chosen as they are now. */
type ChosenAudience = Exclude<Audience, MissedAudience | ImportAudience>

export type AudienceParts = ReturnType<typeof createAudienceParts>

/** Builds the filters by which an audience selects contacts and leaves them out. */
export function createAudienceParts({
  contactLists: { partsOfSelection },
  contacts: { walk },
  importPeople,
  campaigns: { areRowsRemoved },
}: {
  contactLists: Pick<ContactListsService, 'partsOfSelection'>
  contacts: Pick<ContactsService, 'walk'>
  importPeople: Pick<ImportPeople, 'find' | 'problemOf'>
  campaigns: Pick<CampaignsRepository, 'areRowsRemoved'>
}) {
  const partsOfSegment = (scope: WorkspaceScope, segment: string): Promise<ContactPart[]> =>
    partsOfSelection(scope, { filter: { segment, tags: undefined } })

  /** @throws `not_found`. */
  async function chosen(scope: WorkspaceScope, audience: ChosenAudience): Promise<ContactPart[]> {
    if (audience.kind === 'segment') return partsOfSegment(scope, audience.segmentId)
    if (audience.kind === 'contacts') return partsOfSelection(scope, { ids: audience.contactIds })
    return audience.match === 'all'
      ? audience.tags.map((tag) => ({ index: 'tags', filter: { tags: tag } }))
      : partsOfSelection(scope, { filter: { tags: audience.tags } })
  }

  /** Returns the filter of contacts in one of these segments. @throws `not_found`. */
  async function inSegments(scope: WorkspaceScope, segmentIds: readonly string[]): Promise<ContactPart['filter']> {
    const segments = await Promise.all(segmentIds.map((id) => partsOfSegment(scope, id)))
    return { $or: segments.map((parts) => together(parts, undefined)) }
  }

  /** Returns the filter of contacts that are left out; undefined where none are. @throws `not_found`. */
  async function leftOut(scope: WorkspaceScope, exclude: Exclusion | undefined) {
    if (!exclude) return undefined
    const { tags, segmentIds } = exclude
    const tagged: ContactPart['filter'] = { tags: { $in: tags } }
    return segmentIds.length > 0 ? { $or: [tagged, await inSegments(scope, segmentIds)] } : tagged
  }

  /** Finds the contacts of a page that are left out, with one query for any number of segments. @throws `not_found`. */
  async function leftOutOf(
    scope: WorkspaceScope,
    exclude: Exclusion | undefined,
    page: readonly Pick<ContactRecord, 'id'>[],
  ): Promise<(contact: Pick<ContactRecord, 'id' | 'tags'>) => boolean> {
    const { tags = [], segmentIds = [] } = exclude ?? {}
    const left = new Set<string>()
    if (segmentIds.length > 0) {
      const parts = [partOfIds(page.map(({ id }) => id)), { filter: await inSegments(scope, segmentIds) }]
      const found = await walk(scope, parts, { after: undefined, until: new Date(), limit: page.length + 1 })
      for (const { id } of found) left.add(id)
    }
    return ({ id, tags: carried }) => left.has(id) || carried.some((tag) => tags.includes(tag))
  }

  /** Returns, in words for a member, which part of an audience is gone; undefined where none is. */
  async function problemOf(scope: WorkspaceScope, audience: Audience): Promise<string | undefined> {
    try {
      await Promise.all(segmentsIn(audience).map((id) => partsOfSegment(scope, id)))
      if (audience.kind === 'campaign' && (await areRowsRemoved(scope, audience.campaignId)))
        return 'The list of recipients of the campaign that it follows is no longer kept.'
      return audience.kind === 'import'
        ? importPeople.problemOf(await importPeople.find(scope, audience.importId))
        : undefined
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      return 'A segment or import of its audience was deleted.'
    }
  }

  return { chosen, leftOut, leftOutOf, problemOf }
}
