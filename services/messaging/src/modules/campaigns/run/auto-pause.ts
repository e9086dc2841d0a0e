import type { PauseReason } from '@parley/contracts/campaigns/campaigns'
import type { Template } from '@parley/contracts/templates/templates'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError, isStopped } from '../../../whatsapp/error-classes.ts'
import { errorCodes } from '../../../whatsapp/error-codes.ts'
import type { NumberRecord, NumbersService } from '../../channel/numbers/numbers.service.ts'
import { contentKey, type KeyedContent } from '../../templates/content-key.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Group } from '../recipients/tallies.ts'

/** Reason for which a campaign is paused. */
export interface Pause {
  readonly reason: PauseReason
  /** Human-readable details of what happened. */
  readonly detail?: string | undefined
}

/** Resources that a campaign needs in order to send. */
export interface Means {
  /** Template; undefined where it was removed. */
  readonly template: (Pick<Template, 'status' | 'category' | 'contentVersion'> & KeyedContent) | undefined
  /** Null where it is no longer connected. */
  readonly number: Pick<NumberRecord, 'stopped' | 'quality'> | null
}

/** Reads the template and the number of a campaign or draft as they are now. */
export async function readMeans(
  {
    templates,
    numbers,
  }: { templates: Pick<TemplatesService, 'readMany'>; numbers: Pick<NumbersService, 'readToSend'> },
  { workspaceId, templateId, numberId }: WorkspaceScope & { readonly templateId: string; readonly numberId: string },
) {
  const [found, number] = await Promise.all([
    templates.readMany({ workspaceId }, [templateId]),
    numbers.readToSend({ workspaceId }, numberId),
  ])
  return { template: found.get(templateId), number }
}

/** Minimum ended messages: of fewer a share means nothing. */
const minJudged = 50
const maxFailed = 0.25
const maxUnreachable = 0.4
/** Failures of these classes are about the recipient, and about nothing else; files have a limit of their own. */
const aboutRecipient = new Set(['bad_contact', 'opted_out', 'wait_24h', 'slow_contact', 'bad_file'])

/** Returns the reason why no template of a category leaves from a number now; undefined where it does. */
export function stopOf(number: Means['number'], category: Template['category'] | undefined): string | undefined {
  if (!number) return 'The number is no longer connected.'
  return isStopped(number.stopped, { isTemplate: true, category }) ? number.stopped?.reason : undefined
}

/** Returns what makes sending impossible: while it lasts, a campaign cannot be resumed either. */
export function obstacleOf({ template, number }: Means): Pause | undefined {
  const detail = stopOf(number, template?.category)
  if (detail !== undefined) return { reason: 'number_stopped', detail }
  return template?.status === 'approved' ? undefined : { reason: 'template_not_approved' }
}

/** Returns whether its template says something else by now than the campaign sends. */
export const isChanged = (frozen: CampaignRecord['template'], now: KeyedContent | undefined): now is KeyedContent =>
  now !== undefined && contentKey(now) !== contentKey(frozen)

type Judged = Pick<CampaignRecord, 'template' | 'lowQualityAccepted'>

/** Returns what a member has to check before a campaign continues, although it could. */
export function doubtOf({ template: frozen, lowQualityAccepted }: Judged, { template, number }: Means) {
  if (template && template.category !== frozen.category)
    return pause('template_recategorised', `From ${frozen.category} to ${template.category}.`)
  if (isChanged(frozen, template)) return pause('template_changed')
  return number?.quality === 'low' && !lowQualityAccepted ? pause('number_quality') : undefined
}

/** Failures, one after the other, that are no accident. */
const maxInARow = 3
const wrongClasses = new Set(['bad_value', 'bad_request'])
const isFailed = ({ state }: Pick<Group, 'state'>): boolean => state === 'failed'

/** Returns a pause where WhatsApp has failed messages for their template: it would fail the next ones as well. */
export function refusedIn(groups: readonly Group[]): Pause | undefined {
  const known = groups.filter(isFailed).map(({ reason }) => classifyError(Number(reason)))
  const refused = known.find((error) => error.class === 'fix_template')
  return refused && pause('template_refused', `${refused.title}.`)
}

/** Returns whether there are enough wrong values, or wrong requests, that they may stand one after the other. */
export const wrongIn = (groups: readonly Group[]): boolean =>
  groups
    .filter((group) => isFailed(group) && wrongClasses.has(classifyError(Number(group.reason)).class))
    .reduce((sum, { count }) => sum + count, 0) >= maxInARow

/**
 * Returns a pause where rows, one after the other, failed for wrong values or as wrong requests: one bad value is about one
 * recipient, several in a row are about the campaign. @param rows those that have ended, in their order.
 */
export function inARow(rows: readonly Pick<Group, 'state' | 'reason'>[]): Pause | undefined {
  let [count, before] = [0, '']
  for (const row of rows) {
    const known = isFailed(row) ? classifyError(Number(row.reason)) : undefined
    const errorClass = known && wrongClasses.has(known.class) ? known.class : ''
    count = errorClass === '' ? 0 : errorClass === before ? count + 1 : 1
    before = errorClass
    if (count === maxInARow && known)
      return pause('too_many_failures', `${maxInARow} in a row failed, the last one with: ${known.title}.`)
  }
  return undefined
}

/** Minimum files, and the share of them that failed. */
const minFiles = 10
const maxFailedFiles = 0.2

/** Returns a pause where so many files of single recipients failed that the address is likely wrong, or its server away. */
export function filesIn({ ended, failed, code = 0 }: { ended: number; failed: number; code?: number | undefined }) {
  if (ended < minFiles || failed < maxFailedFiles * ended) return undefined
  return pause('files_failed', `${failed} of ${ended} files, the last one with: ${classifyError(code).title}.`)
}

/** Returns a pause where enough of the latest messages failed that the next ones would, too. */
export function failuresIn(groups: readonly Group[]): Pause | undefined {
  const counts = { ended: 0, failed: 0, unreachable: 0, withoutFile: 0 }
  const codes = new Map<number, number>()
  for (const { state, reason, count } of groups) {
    if (state === 'sent' || state === 'delivered' || state === 'read' || state === 'failed') counts.ended += count
    if (state !== 'failed') continue
    const code = Number(reason)
    const errorClass = classifyError(code).class
    if (errorClass === 'bad_contact' && code !== errorCodes.experiment) counts.unreachable += count
    if (errorClass === 'bad_file') counts.withoutFile += count
    if (aboutRecipient.has(errorClass)) continue
    counts.failed += count
    codes.set(code, (codes.get(code) ?? 0) + count)
  }
  const { ended, failed, unreachable, withoutFile } = counts
  if (ended < minJudged) return undefined
  if (failed > maxFailed * ended) {
    const [[code] = [0]] = [...codes].sort(([, left], [, right]) => right - left)
    return pause('too_many_failures', `${failed} of the last ${ended} failed, most with: ${classifyError(code).title}.`)
  }
  if (unreachable > maxUnreachable * ended)
    return pause('too_many_unreachable', `${unreachable} of the last ${ended} could not be delivered.`)
  // Few files may be those of many.
  if (withoutFile > maxFailedFiles * ended)
    return pause('files_failed', `${withoutFile} of the last ${ended} messages failed for their file.`)
  return undefined
}

const pause = (reason: PauseReason, detail?: string): Pause => ({ reason, detail })
