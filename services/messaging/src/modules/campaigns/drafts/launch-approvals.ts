import { countOf } from '@parley/contracts/core/english-format'
import { type Approval, type ApprovalRules, needsApproval } from '@parley/contracts/platform/approvals'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { causeOf, type UserContext } from '@parley/service-kit/http/context'
import type { ApprovalRulesService } from '../../approvals/approval-rules.service.ts'
import { peopleText } from '../../approvals/approval-texts.ts'
import type { ApprovalRecord, Approvals, LaunchSubject } from '../../approvals/approvals.service.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { DraftRecord, UnderReview } from './drafts.model.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import type { Caller, DraftsService } from './drafts.service.ts'
import { readyReview } from './ready-review.ts'

interface Dependencies {
  readonly approvals: Pick<Approvals, 'latest' | 'ask' | 'approved' | 'take'>
  readonly approvalRules: Pick<ApprovalRulesService, 'read'>
  readonly drafts: Pick<DraftsRepository, 'read'>
  readonly campaignDrafts: Pick<DraftsService, 'find'>
  readonly now: Clock
}
export type LaunchApprovals = ReturnType<typeof createLaunchApprovals>

/** Approvals of launches: of a draft as its review has found it. */
export function createLaunchApprovals({ approvals, approvalRules, drafts, campaignDrafts, now }: Dependencies) {
  async function ofCampaign(scope: WorkspaceScope, campaignId: string): Promise<{ approval: Approval | null }> {
    if (!isId(campaignId)) throw errors.notFound('There is no such campaign.')
    return { approval: await approvals.latest(scope, { campaignId }) }
  }

  /** @throws `not_found`, `preflight_stale`; `wrong_state` where no approval is needed, or nobody else could give it. */
  async function ask(
    ctx: UserContext,
    campaignId: string,
    { preflightId, note }: { preflightId: string; note: string },
  ): Promise<Approval> {
    const draft = await campaignDrafts.find(ctx, campaignId)
    const { ready } = readyReview(draft, preflightId, now())
    const subject = subjectOf(ready)
    if (!needsApproval(await approvalRules.read(ctx), sizeOf(ready)))
      throw errors.wrongState('This campaign needs no approval. Send it.')
    const described = { campaignName: draft.name, subject }
    return approvals.ask(ctx, { place: { campaignId }, note, describe: async () => described })
  }

  /**
   * Checks that a campaign may be launched as its review has found it.
   * @returns what takes its approval, in the transaction of the launch. @throws `approval_required`.
   */
  async function require(scope: WorkspaceScope, draft: UnderReview): Promise<(tx: Tx) => Promise<void>> {
    const rules = await approvalRules.read(scope)
    if (!needsApproval(rules, sizeOf(draft))) return async () => undefined
    const approval = await approvals.approved(scope, { campaignId: draft.id }, ruleText(rules))
    return (tx) => approvals.take(scope, approval, tx)
  }

  /**
   * Checks who has a campaign go on that is no longer what was launched: with many more recipients, or another text, another member
   * than the one who launched it. @throws `approval_required`.
   */
  async function requireSecond(ctx: Caller, { frozen, expected, launched, planned }: CampaignRecord): Promise<void> {
    const { micros = 0, unpriced = 0 } = planned ?? {}
    const size = { recipients: frozen.pending ?? expected.reachable, micros, unpriced }
    if (!launched || !needsApproval(await approvalRules.read(ctx), size)) return
    // The id of a key is no member's: nobody knows who is behind it.
    const isOfMember = isId(launched.by)
    if (ctx.actor.kind === 'user' && isOfMember && launched.by !== ctx.actor.id) return
    throw new AppError(
      'approval_required',
      isOfMember
        ? 'It is no longer what was launched. Another owner or admin has to decide that it goes on.'
        : 'It is no longer what an API key has launched. Cancel it, and ask for the approval of another one.',
    )
  }

  /** Tells what became of a draft since a request was made for it. */
  async function draftNow(scope: WorkspaceScope, { campaignId = '', subject }: ApprovalRecord) {
    const draft = await drafts.read(scope, campaignId)
    return { name: draft?.name, changed: subject && changeSince(subject, draft) }
  }

  /** Announces to pages that show the draft that a request was made or decided. */
  async function emitDraftChanged(ctx: UserContext, { campaignId }: ApprovalRecord, tx: Tx): Promise<void> {
    if (campaignId === undefined) return
    const draft = await drafts.read(ctx, campaignId)
    if (draft) emitCampaignChanged(draft, causeOf(ctx), tx)
  }

  return { ofCampaign, ask, require, requireSecond, draftNow, emitDraftChanged }
}

const costOf = ({ review }: DraftRecord) => sumOf(review?.result?.cost?.lines ?? [])
function priceOf(draft: UnderReview) {
  const { micros, unpriced } = costOf(draft)
  const currency = draft.review.result?.cost?.card?.currency
  return { costMicros: micros, ...(currency !== undefined && { currency, unpriced }) }
}
const sizeOf = (draft: UnderReview) => ({ recipients: draft.frozen.pending ?? 0, ...costOf(draft) })

const subjectOf = (draft: UnderReview): LaunchSubject => ({
  edition: draft.edition,
  contentVersion: draft.template.contentVersion ?? 0,
  conditions: draft.review.facts.conditions ?? '',
  exclusions: draft.review.facts.exclusions ?? '',
  recipients: draft.frozen.pending ?? 0,
  ...priceOf(draft),
})

/** `Campaigns with more than 5 recipients need the approval of a second member.` */
function ruleText({ campaignRecipients, campaignCost }: ApprovalRules): string {
  const limits = [
    ...(campaignRecipients === null ? [] : [`with more than ${peopleText(campaignRecipients, 'recipient')}`]),
    ...(campaignCost === null ? [] : [`that cost more than ${countOf(campaignCost)}, or an unknown amount`]),
  ]
  return `Campaigns ${limits.join(', or ')}${campaignCost === null ? '' : ','} need the approval of a second member.`
}

/** Tells what is no longer as a request has described it. A later review alone changes nothing; fewer recipients do not either. */
function changeSince(subject: LaunchSubject, draft: DraftRecord | null): string | undefined {
  if (!draft) return 'The draft was deleted.'
  if (draft.edition !== subject.edition) return 'The campaign was edited after the request.'
  const { template, review } = draft
  if (template && (template.contentVersion ?? 0) !== subject.contentVersion)
    return 'Its template was changed after the request.'
  if (!review) return undefined
  const { conditions = '', exclusions = '' } = review.facts
  if (conditions !== subject.conditions || exclusions !== subject.exclusions)
    return 'The conditions of a segment were changed after the request.'
  const recipients = review.state === 'ready' ? (review.result?.counts.recipients ?? 0) : 0
  if (recipients > subject.recipients)
    return `It has ${peopleText(recipients, 'recipient')} now, and ${countOf(subject.recipients)} at the request.`
  return subject.costMicros !== undefined && costOf(draft).micros > subject.costMicros
    ? 'It costs more than at the request.'
    : undefined
}
