import type { Audience, Missed } from '@parley/contracts/campaigns/campaign-fields'
import { type FailureClass, failureClasses } from '@parley/contracts/campaigns/failure-classes'
import { momentLabels } from '@parley/contracts/core/english-format'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError, codesOf } from '../../../whatsapp/error-classes.ts'
import { type ContactPart, partOfIds } from '../../contacts/contact-query.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { checkRowsKept } from '../recipients/old-rows.ts'
import { inStates } from '../recipients/recipient-lists.repository.ts'
import type { RecipientRecord } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { SentAgain } from '../results/sent-again.ts'

export type MissedAudience = Extract<Audience, { kind: 'campaign' }>
interface Page {
  readonly after: string | undefined
  readonly limit: number
}
export type RetargetAudience = ReturnType<typeof createRetargetAudience>

const pageSize = 1000
/** WhatsApp's code for marketing that it holds back from a person who gets much of it: no earlier than a day later. */
export const heldBack = '131049'
const hourMs = 3_600_000
const heldBackMs = 24 * hourMs
/** A failure of which no message tells when it was may have been told so much after the end. */
const reportedWithinMs = hourMs
/** Milliseconds within which WhatsApp may still report that a message has arrived. */
const confirmsWithinMs = hourMs

const notYet = { $ne: true as const }

const rowsOf: Record<Exclude<Missed, 'failed'>, ReturnType<typeof inStates>> = {
  not_delivered: inStates('sent'),
  not_read: inStates('delivered'),
  not_replied: inStates('delivered', 'read'),
  not_confirmed: inStates('uncertain'),
}

export const contactsOf = (rows: readonly RecipientRecord[]): string[] => rows.map(({ contactId }) => contactId)

/** Returns whether a row belongs to the missed audience. */
export function isRetargeted(
  { state, reason, replied }: RecipientRecord,
  { missed, classes }: MissedAudience,
): boolean {
  if (missed === 'not_replied' && replied) return false
  if (missed !== 'failed') return rowsOf[missed].filter.state.$in.includes(state)
  return state === 'failed' && (!classes || classes.includes(classifyError(Number(reason)).class))
}

const endOf = ({ completedAt, stoppedAt, updatedAt }: CampaignRecord): Date => completedAt ?? stoppedAt ?? updatedAt

/** Makes the contacts that an earlier campaign has not reached, or who have not answered it, the audience of another one. */
export function createRetargetAudience({
  campaigns,
  recipients,
  messages: { readMany: readMessages },
  sentAgain,
  sendingHours: { zoneOf },
  now = () => new Date(),
}: {
  campaigns: Pick<CampaignsRepository, 'read'>
  recipients: Pick<RecipientsRepository, 'after'>
  messages: Pick<Outbox, 'readMany'>
  sentAgain: Pick<SentAgain, 'check'>
  sendingHours: Pick<SendingHoursService, 'zoneOf'>
  now?: Clock
}) {
  /** The earlier campaign. @throws `not_found`; `wrong_state` as long as it runs; `too_early`; `recipients_removed`. */
  async function earlier(scope: WorkspaceScope, { campaignId, missed }: MissedAudience): Promise<CampaignRecord> {
    const campaign = isId(campaignId) ? await campaigns.read(scope, campaignId) : null
    if (!campaign) throw errors.notFound('There is no such campaign.')
    if (campaign.status !== 'completed' && campaign.status !== 'cancelled')
      throw errors.wrongState(`${campaign.name} is still running. You will see whom it missed once it ends.`)
    checkRowsKept(campaign)
    if (missed === 'not_confirmed')
      await checkTime(campaign, confirmsWithinMs, 'WhatsApp may still say whether these messages have arrived.')
    return campaign
  }

  /**
   * Same as `earlier`, for a campaign that a member begins now. @throws also `too_early` for those whom WhatsApp held marketing
   * back from, `wrong_state` for those who are sent it again already.
   */
  async function retried(scope: WorkspaceScope, audience: MissedAudience): Promise<CampaignRecord> {
    const campaign = await earlier(scope, audience)
    if (audience.missed === 'not_confirmed') await sentAgain.check(scope, campaign)
    if (audience.missed === 'failed' && audience.classes?.includes('wait_24h'))
      await checkTime(
        campaign,
        heldBackMs,
        'WhatsApp held the message back because these customers get much marketing.',
      )
    return campaign
  }

  async function checkTime(campaign: CampaignRecord, afterMs: number, why: string): Promise<void> {
    const from = new Date(endOf(campaign).getTime() + afterMs)
    if (from <= now()) return
    throw new AppError('too_early', `${why} Send again from ${momentLabels(from, await zoneOf(campaign))} on.`)
  }

  /** Reads the campaign's rows after a place, in their order; none where it does not exist any more. @throws `recipients_removed`. */
  async function after(scope: WorkspaceScope, audience: MissedAudience, page: Page): Promise<RecipientRecord[]> {
    const campaign = await campaigns.read(scope, audience.campaignId)
    if (!campaign) return []
    const rows = await rowsAfter(campaign, audience, page)
    // The removal is checked after the read: as long as it is not recorded, all rows were there.
    checkRowsKept((await campaigns.read(scope, campaign.id)) ?? campaign)
    return rows
  }

  /** Reads rows until a page is full, or there are no more. */
  async function rowsAfter(campaign: CampaignRecord, audience: MissedAudience, page: Page): Promise<RecipientRecord[]> {
    const { missed, classes } = audience
    const { index, filter } = missed === 'failed' ? failedBecause(classes) : rowsOf[missed]
    const which = { index, filter: { ...filter, ...(missed === 'not_replied' && { replied: notYet }) } }
    const found: RecipientRecord[] = []
    for (let afterId = page.after; found.length < page.limit; ) {
      const rows = await recipients.after(campaign, campaign.id, which, { after: afterId, limit: page.limit })
      found.push(...(missed === 'failed' ? await dueOf(campaign, rows) : rows))
      afterId = rows.at(-1)?.id
      if (rows.length < page.limit) break
    }
    return found.slice(0, page.limit)
  }

  /** Leaves out those from whom WhatsApp has held marketing back less than a day ago. */
  async function dueOf(campaign: CampaignRecord, rows: readonly RecipientRecord[]): Promise<RecipientRecord[]> {
    const held = rows.filter(({ reason }) => reason === heldBack).map(({ id }) => id)
    if (held.length === 0) return [...rows]
    const failedAt = new Map((await readMessages(campaign, held)).map(({ id, statusAt }) => [id, statusAt.failed]))
    const otherwise = new Date(endOf(campaign).getTime() + reportedWithinMs)
    const since = now().getTime() - heldBackMs
    return rows.filter(({ id, reason }) => reason !== heldBack || (failedAt.get(id) ?? otherwise).getTime() <= since)
  }

  /** Returns its contacts, in disjoint parts. @throws `not_found`, `wrong_state`, `too_early`. */
  async function parts(scope: WorkspaceScope, audience: MissedAudience): Promise<ContactPart[]> {
    const campaign = await earlier(scope, audience)
    const found: ContactPart[] = []
    for (let afterId: string | undefined; ; ) {
      const rows = await rowsAfter(campaign, audience, { after: afterId, limit: pageSize })
      if (rows.length > 0) found.push(partOfIds(contactsOf(rows)))
      afterId = rows.at(-1)?.id
      if (rows.length < pageSize) return found
    }
  }

  return { earlier, retried, after, parts }
}

const reasonsOf = (classes: readonly FailureClass[]): string[] => codesOf(classes).map(String)

/**
 * Rows that failed for reasons of some classes, and the index that has them in their order. A code that is not known counts as
 * `bad_request`, as it does everywhere, and so does a failure that came without one.
 * @param classes absent: all.
 */
function failedBecause(classes: readonly FailureClass[] | undefined) {
  const failed = inStates('failed')
  if (!classes) return failed
  if (!classes.includes('bad_request'))
    return { index: 'by-reason', filter: { ...failed.filter, reason: { $in: reasonsOf(classes) } } }
  const others = failureClasses.filter((failureClass) => !classes.includes(failureClass))
  return { ...failed, filter: { ...failed.filter, reason: { $nin: reasonsOf(others) } } }
}
