import type { Audience, CampaignDraft, DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import { foldText } from '@parley/rules/fold-text'
import { errors } from '@parley/service-kit/core/errors'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { type ActorContext, causeOf, memberIdOf } from '@parley/service-kit/http/context'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { SegmentsService } from '../../contacts/segments/segments.service.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { MissedAudience } from '../audience/retarget-audience.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import type { createCampaignNotes } from '../results/timeline.repository.ts'
import { type AudienceNames, segmentsIn, storedAudience } from './audience-names.ts'
import type { DraftRecord } from './drafts.model.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import type { ShowDrafts } from './show-drafts.ts'

export type Caller = WorkspaceScope & Pick<ActorContext, 'actor' | 'intent'>

interface Dependencies {
  readonly drafts: DraftsRepository
  readonly showDrafts: ShowDrafts
  readonly shown: Pick<CampaignsService, 'find'>
  readonly templates: Pick<TemplatesService, 'find'>
  readonly segments: Pick<SegmentsService, 'find'>
  readonly importPeople: Pick<ImportPeople, 'find'>
  readonly audienceNames: AudienceNames
  readonly numbers: Pick<NumbersService, 'read'>
  readonly notes: Pick<ReturnType<typeof createCampaignNotes>, 'note' | 'forget'>
  readonly holdLimit: HoldLimit
  readonly transaction: RunInTransaction
}

/** The most that a workspace keeps. */
const maxDrafts = 500

export type DraftsService = ReturnType<typeof createDraftsService>

/** Campaigns as people write them, before they are launched. */
export function createDraftsService({
  drafts,
  showDrafts: show,
  shown,
  templates,
  segments,
  importPeople,
  audienceNames,
  numbers,
  notes,
  holdLimit,
  transaction,
}: Dependencies) {
  /** @throws `not_found` for what it names, `wrong_state` where there are too many. */
  async function create(ctx: Caller, fields: DraftFields): Promise<CampaignDraft> {
    const id = newId(ctx)
    const first = ctx.intent && (await drafts.read(ctx, id))
    if (first) return show.showOne(ctx, first)
    const stored = await storedFields(ctx, fields)
    const { audience } = fields
    const earlier = audience?.kind === 'campaign' ? await shown.find(ctx, audience.campaignId) : undefined
    const created = await transaction(async (tx) => {
      await holdLimit(ctx, 'drafts', tx)
      if ((await drafts.count(ctx, maxDrafts, tx)) >= maxDrafts)
        throw errors.wrongState(`A workspace keeps at most ${maxDrafts} drafts of campaigns. Delete one first.`)
      const draft = await drafts.create(ctx, { _id: id, ...stored, edition: 1 }, tx)
      emitCampaignChanged(draft, causeOf(ctx), tx)
      await notes.note(draft, { memberId: memberIdOf(ctx), ...createdOf(earlier) }, tx)
      if (earlier && audience?.kind === 'campaign')
        await notes.note(earlier, { memberId: memberIdOf(ctx), ...followedOf(draft, audience) }, tx)
      return draft
    })
    return show.showOne(ctx, created)
  }

  /** Writes a draft; its review, which was of another content, is removed. @throws `not_found`, `wrong_state`, `stale_version`. */
  async function save(
    ctx: Caller,
    id: string,
    { version, ...fields }: DraftFields & { readonly version: number },
  ): Promise<CampaignDraft> {
    const stored = await storedFields(ctx, fields, await find(ctx, id))
    const saved = await transaction(async (tx) => {
      const before = await drafts.read(ctx, id, tx)
      const draft = before && (await drafts.write(ctx, { ...before, edition: version }, stored, tx))
      if (draft) emitCampaignChanged(draft, causeOf(ctx), tx)
      return draft
    })
    if (saved) return show.showOne(ctx, saved)
    throw errors.staleVersion(await show.showOne(ctx, await find(ctx, id)))
  }

  /** @throws `not_found`, `wrong_state`. */
  async function remove(ctx: Caller, id: string): Promise<void> {
    await find(ctx, id)
    await transaction(async (tx) => {
      const draft = await drafts.read(ctx, id, tx)
      if (!draft) return
      if (draft.frozen) await drafts.markRemoved(ctx, id, tx)
      else await drafts.forget(ctx, id, tx)
      await notes.forget(draft, tx)
      emitCampaignChanged(draft, causeOf(ctx), tx)
    })
  }

  /** @throws `not_found`; `wrong_state` for one that was launched. */
  async function find(ctx: WorkspaceScope, id: string): Promise<DraftRecord> {
    const draft = isId(id) ? await drafts.read(ctx, id) : null
    if (draft) return draft
    const { name } = await shown.find(ctx, id)
    throw errors.wrongState(`Somebody has launched ${name}: it is no longer a draft.`)
  }

  /** Newly named records have to exist; ones named before may be gone meanwhile. */
  async function storedFields(ctx: WorkspaceScope, fields: DraftFields, before?: DraftRecord) {
    const { name, templateId, numberId, variables, schedule, anyHour, recentDays, retryHeldBack, recipientFile } =
      fields
    const audience = fields.audience && storedAudience(fields.audience)
    if (audience?.kind === 'contacts' && audience.contactIds.length === 0)
      throw errors.validation({ audience: 'None of the chosen contacts is there. Choose at least one.' })
    const isSame = JSON.stringify(audience) === JSON.stringify(before?.audience)
    const [audienceName, templateName] = await Promise.all([
      isSame ? (before?.audienceName ?? '') : nameOf(ctx, audience, before),
      templateId === before?.templateId ? (before?.templateName ?? '') : nameOfTemplate(ctx, templateId),
      numberId === before?.numberId || numberId === undefined ? undefined : namedNumber(ctx, numberId),
    ])
    return {
      name,
      audience,
      audienceName,
      numberId,
      templateId,
      templateName,
      variables,
      schedule,
      anyHour,
      recentDays,
      retryHeldBack,
      recipientFile,
      searchKey: foldText(`${name} ${templateName}`),
    }
  }

  async function nameOf(ctx: WorkspaceScope, audience: Audience | undefined, before?: DraftRecord): Promise<string> {
    if (!audience) return ''
    const [segmentIds, others] = [segmentsIn(audience), before?.audience]
    const known = new Set<string | undefined>(others && [...segmentsIn(others), sourceOf(others)])
    const isNew = (id: string) => !known.has(id)
    await Promise.all(segmentIds.filter(isNew).map((id) => segments.find(ctx, id)))
    if (audience.kind === 'import' && isNew(audience.importId)) await importPeople.find(ctx, audience.importId)
    if (audience.kind === 'campaign' && isNew(audience.campaignId)) await shown.find(ctx, audience.campaignId)
    return (await audienceNames(ctx, [audience]))(audience) ?? before?.audienceName ?? ''
  }

  async function nameOfTemplate(ctx: WorkspaceScope, id: string | undefined): Promise<string> {
    if (id === undefined) return ''
    if (!isId(id)) throw errors.notFound('There is no such template.')
    return (await templates.find(ctx, id)).name
  }

  async function namedNumber(ctx: WorkspaceScope, id: string): Promise<void> {
    if (!isId(id)) throw errors.notFound('There is no such number.')
    if (!(await numbers.read(ctx, id))) throw errors.notFound('This number is no longer connected.')
  }

  return { create, save, remove, find }
}

/** The import or campaign whose people an audience is. */
const sourceOf = (audience: Audience): string | undefined =>
  audience.kind === 'import' ? audience.importId : audience.kind === 'campaign' ? audience.campaignId : undefined

/** Timeline entries of a draft, and of the campaign that it follows. */
const createdOf = (earlier: { readonly id: string; readonly name: string } | undefined) => ({
  kind: 'created' as const,
  ...(earlier && { follows: { campaignId: earlier.id, name: earlier.name } }),
})
const followedOf = ({ id, name }: Pick<DraftRecord, 'id' | 'name'>, { missed }: MissedAudience) => ({
  kind: 'followed' as const,
  campaignId: id,
  name,
  missed,
})
