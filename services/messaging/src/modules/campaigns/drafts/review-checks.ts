import { createHash } from 'node:crypto'
import { type CompleteDraft, completeDraftSchema } from '@parley/contracts/campaigns/campaign-fields'
import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { momentOf } from '@parley/contracts/core/zoned-time'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { offerEndProblem, offerEndsKey } from '@parley/contracts/templates/template-offers'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { isNameable } from '@parley/flow/template-values'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { ConsentSettingsService } from '../../contacts/consent/consent-settings.service.ts'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { SegmentsService } from '../../contacts/segments/segments.service.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import { contentVersionOf } from '../../templates/content-key.ts'
import type { TemplateRecord } from '../../templates/templates.service.ts'
import type { RetargetAudience } from '../audience/retarget-audience.ts'
import type { FrozenTemplate, Schedule } from '../campaigns.model.ts'
import { stopOf } from '../run/auto-pause.ts'
import type { DraftRecord, ReviewFacts } from './drafts.model.ts'
import { checkRecipientFile } from './file-checks.ts'

export interface ReviewMeans {
  /** Template; undefined where it was removed. */
  readonly template: TemplateRecord | undefined
  /** Null where it is no longer connected. */
  readonly number: NumberRecord | null
}

interface Dependencies {
  readonly meansOf: (draft: WorkspaceScope & Pick<CompleteDraft, 'templateId' | 'numberId'>) => Promise<ReviewMeans>
  readonly segments: Pick<SegmentsService, 'filterOf'>
  readonly missed: Pick<RetargetAudience, 'earlier'>
  readonly importPeople: Pick<ImportPeople, 'find' | 'problemOf'>
  readonly contacts: Pick<ContactsService, 'count'>
  readonly consentSettings: Pick<ConsentSettingsService, 'needsOptIn'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
}

export type ReviewChecks = ReturnType<typeof createReviewChecks>

/** Checks what a draft needs for its review, and reads what the review depends on. */
export function createReviewChecks({
  meansOf: read,
  segments,
  missed,
  importPeople,
  contacts,
  consentSettings,
  sendingHours,
}: Dependencies) {
  const meansOf = ({ workspaceId }: WorkspaceScope, draft: Pick<CompleteDraft, 'templateId' | 'numberId'>) =>
    read({ ...draft, workspaceId })

  /** @throws `validation_failed` with the path of each field, `template_not_approved`, `wrong_state`, `not_found`. */
  async function complete(scope: WorkspaceScope, draft: DraftRecord) {
    const means = await meansOf(scope, parse({ ...draft, variables: {} }))
    const template = sendable(means.template, draft.recipientFile !== undefined)
    const number = usable(means.number, template)
    // The draft keeps values of a template that was chosen before; they do not count.
    const keys = templatePlaceholders(template)
    const kept = Object.entries(draft.variables).filter(([key]) => keys.includes(key))
    const fields = parse({ ...draft, variables: Object.fromEntries(kept) })
    checkVariables(keys, fields)
    checkRecipientFile(template, fields)
    checkOffer(template, fields, (await momentFor(scope, fields.schedule)) ?? new Date())
    if (template.businessAccountId !== number.businessAccountId)
      throw errors.validation({ templateId: 'This template belongs to another account than the number.' })
    await checkAudience(scope, fields)
    return { fields, template, number }
  }

  /** Returns whether a contact carries a tag. */
  async function isTagged(scope: WorkspaceScope, tag: string): Promise<boolean> {
    return (await contacts.count(scope, [{ index: 'tags', filter: { tags: tag } }], { limit: 1 })) !== 0
  }

  /** Checks that everything the audience is chosen by, or goes without, still exists. */
  async function checkAudience(scope: WorkspaceScope, { audience, schedule }: CompleteDraft): Promise<void> {
    if (audience.kind === 'campaign')
      await missed.earlier(scope, audience).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'recipients_removed') throw error
        throw errors.validation({ 'audience.campaignId': `${error.message} Choose another audience.` })
      })
    if (audience.kind === 'import') {
      const imported = await importPeople.find(scope, audience.importId)
      const problem = importPeople.problemOf(imported, await momentFor(scope, schedule))
      if (problem !== undefined) throw errors.validation({ 'audience.importId': `${problem} Choose another audience.` })
    }
    const { tags = [], segmentIds = [] } = audience.exclude ?? {}
    const tagged = await Promise.all(tags.map((tag) => isTagged(scope, tag)))
    const gone = tags.filter((_, index) => !tagged[index])
    if (gone.length > 0)
      throw errors.validation({
        'audience.exclude.tags': `It leaves out contacts with the tag ${gone.join(', ')}, but no contact has that tag now. Remove it there, or choose another one.`,
      })
    await exclusionsOf(scope, segmentIds).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      const message = 'It leaves out a segment that was deleted. Remove it there, or choose another one.'
      throw errors.validation({ 'audience.exclude.segmentIds': message })
    })
  }

  /** Digest of the conditions of segments that are left out. @throws `not_found` where one of them is gone. */
  async function exclusionsOf(scope: WorkspaceScope, segmentIds: readonly string[]): Promise<string | undefined> {
    if (segmentIds.length === 0) return undefined
    return digestOf(await Promise.all(segmentIds.map((id) => segments.filterOf(scope, id))))
  }

  /** Reads the facts as they are now. @throws `not_found` where a segment of the audience is gone. */
  async function factsOf(
    scope: WorkspaceScope,
    { audience, schedule }: Pick<DraftRecord, 'audience' | 'schedule'>,
    number: Pick<NumberRecord, 'quality'> | null,
  ): Promise<ReviewFacts> {
    const [optIn, filter, exclusions, imported, scheduledFor] = await Promise.all([
      consentSettings.needsOptIn(scope),
      audience?.kind === 'segment' ? segments.filterOf(scope, audience.segmentId) : undefined,
      exclusionsOf(scope, audience?.exclude?.segmentIds ?? []),
      audience?.kind === 'import' ? importPeople.find(scope, audience.importId) : undefined,
      momentFor(scope, schedule),
    ])
    const importProblem = imported && importPeople.problemOf(imported)
    return {
      needsOptIn: optIn,
      isQualityLow: number?.quality === 'low',
      ...(filter && { conditions: digestOf(filter) }),
      ...(exclusions !== undefined && { exclusions }),
      ...(importProblem !== undefined && { importProblem }),
      ...(scheduledFor && { scheduledFor }),
    }
  }

  /** Returns a schedule's time by the clock of the workspace. @throws `validation_failed` for a date that does not exist. */
  async function momentFor(scope: WorkspaceScope, schedule: Schedule | undefined): Promise<Date | undefined> {
    if (!schedule) return undefined
    const at = momentOf(schedule, await sendingHours.zoneOf(scope))
    if (!at) throw errors.validation({ 'schedule.date': 'Choose a date' })
    return at
  }

  return { complete, factsOf, momentFor, meansOf }
}

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found'

const digestOf = (conditions: unknown): string =>
  createHash('sha256').update(JSON.stringify(conditions)).digest('base64url')

const missing: Readonly<Record<string, string>> = {
  audience: 'Choose who it is for',
  numberId: 'Choose the number that it is sent from',
  templateId: 'Choose a template',
}

function parse({ name, audience, numberId, templateId, variables, ...draft }: DraftRecord): CompleteDraft {
  const { schedule, anyHour, recentDays, retryHeldBack, recipientFile } = draft
  const { data, error } = completeDraftSchema.safeParse({
    name,
    audience,
    numberId,
    templateId,
    variables,
    schedule,
    anyHour,
    recentDays,
    retryHeldBack,
    recipientFile,
  })
  if (data) return data
  const absent: Readonly<Record<string, unknown>> = { audience, numberId, templateId }
  const fields = error.issues.map(({ path, message }) => {
    const field = path.join('.')
    return [field, field in missing && absent[field] === undefined ? (missing[field] ?? message) : message]
  })
  throw errors.validation(Object.fromEntries(fields))
}

function sendable(template: TemplateRecord | undefined, hasOwnFiles: boolean): TemplateRecord {
  if (!template) throw errors.validation({ templateId: 'This template was deleted. Choose another one.' })
  if (template.status !== 'approved') throw notApproved()
  if (template.unsupported?.length)
    throw errors.wrongState(`Parley cannot fill in a part of ${template.name}: ${template.unsupported.join(', ')}.`)
  const missing = missingMedia(template)
  if (missing !== undefined && !(hasOwnFiles && isFileHeader(template.headerMedia?.kind)))
    throw errors.validation({ templateId: `${missing}. Give it one under Templates, or choose another one.` })
  return template
}

const notApproved = () =>
  new AppError('template_not_approved', 'WhatsApp has not approved this template. Choose another one.')

function usable(number: NumberRecord | null, { category }: Pick<TemplateRecord, 'category'>): NumberRecord {
  if (!number) throw errors.validation({ numberId: 'This number is no longer connected. Choose another one.' })
  if (stopOf(number, category) !== undefined) throw numberStopped()
  return number
}

const numberStopped = () => errors.wrongState('This number cannot send anything right now. See WhatsApp Numbers.')

function checkVariables(keys: readonly string[], { variables }: CompleteDraft): void {
  for (const key of keys) {
    const source = Object.hasOwn(variables, key) ? variables[key] : undefined
    if (!source) throw errors.validation({ [`variables.${key}`]: `Choose what {{${key}}} is filled with.` })
    if (source.kind === 'field' && !isNameable(source.field))
      throw errors.validation({ [`variables.${key}.field`]: `Contacts have no field ${source.field}.` })
  }
}

/** Returns why an offer cannot be sent at a time; `undefined` for one that can, or that has no end. */
export function offerProblem(
  offer: FrozenTemplate['offer'],
  variables: CompleteDraft['variables'],
  sentAt: Date,
): string | undefined {
  if (!offer?.hasExpiration) return undefined
  const source = variables[offerEndsKey]
  return offerEndProblem(source?.kind === 'text' ? source.text : undefined, sentAt)
}

/** The end of an offer is one for all, and to come when it is sent. @throws `validation_failed`. */
function checkOffer({ offer }: TemplateRecord, { variables }: CompleteDraft, sentAt: Date): void {
  const problem = offerProblem(offer, variables, sentAt)
  if (problem !== undefined) throw errors.validation({ [`variables.${offerEndsKey}.text`]: problem })
}

/** Returns the parts of a template that are sent; they do not change under way. */
export const frozenOf = (template: TemplateRecord): FrozenTemplate => {
  const { name, language, category, header, headerMedia, authentication, offer, body, footer, buttons, cards } =
    template
  const shown = {
    ...(headerMedia && { headerMedia }),
    ...(authentication && { authentication }),
    ...(offer && { offer }),
    ...(cards && { cards }),
  }
  const optional = { ...shown, ...(header !== undefined && { header }), ...(footer !== undefined && { footer }) }
  return { name, language, category, body, buttons, contentVersion: contentVersionOf(template), ...optional }
}
