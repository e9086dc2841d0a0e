import { type Approval, approvalHours, type approvalsApi, needsApproval } from '@parley/contracts/campaigns/approvals'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { countOf } from '@parley/contracts/core/english-format'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { causeOf, type UserContext } from '@parley/service-kit/http/context'
import type { AskPeople, MemberFactsService } from '../../../platform/member-facts.ts'
import type { AddNotifications } from '../../../platform/notification.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { DraftRecord, UnderReview } from '../drafts/drafts.model.ts'
import type { DraftsRepository } from '../drafts/drafts.repository.ts'
import type { Caller, DraftsService } from '../drafts/drafts.service.ts'
import { readyReview } from '../drafts/ready-review.ts'
import type { createApprovalRules } from './approval-rules.service.ts'
import { askedOf, decidedOf, nextStep, recipientsText } from './approval-texts.ts'
import type { ApprovalRecord, ApprovalSubject } from './approvals.model.ts'
import type { ApprovalsRepository } from './approvals.repository.ts'

type Decision = EndpointInput<typeof approvalsApi.decide>['body']

interface Dependencies {
  readonly approvals: ApprovalsRepository
  readonly rules: Pick<ReturnType<typeof createApprovalRules>, 'read'>
  readonly drafts: Pick<DraftsRepository, 'read' | 'readMany'>
  readonly campaignDrafts: Pick<DraftsService, 'find'>
  readonly members: Pick<MemberFactsService, 'find'>
  readonly askPeople: AskPeople
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
  readonly now: Clock
}
export type Approvals = ReturnType<typeof createApprovals>

const lastsMs = approvalHours * 3600_000

/** Requests to launch a campaign, which another member decides. */
export function createApprovals(deps: Dependencies) {
  const { approvals, rules, drafts, campaignDrafts, askPeople, addNotifications, transaction, now } = deps

  async function list(scope: WorkspaceScope): Promise<{ items: Approval[] }> {
    const pending = await approvals.pending(scope, now())
    const found = await drafts.readMany(
      scope,
      pending.map(({ campaignId }) => campaignId),
    )
    const byId = new Map(found.map((draft) => [draft.id, draft]))
    const items = pending.map((approval) => shown(approval, byId.get(approval.campaignId) ?? null))
    return { items: items.filter(({ state }) => state === 'pending') }
  }

  async function ofCampaign(scope: WorkspaceScope, campaignId: string): Promise<{ approval: Approval | null }> {
    if (!isId(campaignId)) throw errors.notFound('There is no such campaign.')
    const latest = await approvals.latest(scope, campaignId)
    return { approval: latest && shown(latest, await drafts.read(scope, campaignId)) }
  }

  /**
   * The same asked again is the same request.
   * @throws `not_found`, `preflight_stale`; `wrong_state` where no approval is needed, or nobody else could give it.
   */
  async function ask(
    ctx: UserContext,
    campaignId: string,
    { preflightId, note }: { preflightId: string; note: string },
  ): Promise<Approval> {
    const draft = await campaignDrafts.find(ctx, campaignId)
    const { ready } = readyReview(draft, preflightId, now())
    const subject = subjectOf(ready)
    if (!needsApproval(await rules.read(ctx), subject.recipients))
      throw errors.wrongState('This campaign needs no approval. Send it.')
    const openOne = async (options: SessionOption = {}) => {
      const latest = await approvals.latest(ctx, campaignId, options)
      return latest && ['pending', 'approved'].includes(shown(latest, draft).state) ? latest : undefined
    }
    const open = await openOne()
    if (open) return shown(open, draft)
    const { deciders } = await askPeople(ctx)
    const others = deciders.filter((userId) => userId !== ctx.userId)
    if (others.length === 0)
      throw errors.wrongState('Nobody else can approve launches. Invite another owner or admin first.')
    const name = await nameOf(ctx)
    const at = now()
    const made = await transaction(async (tx) => {
      // Another member may have asked at the same time.
      const other = await openOne({ session: tx.session })
      if (other) return other
      const record = await approvals.replace(
        ctx,
        {
          _id: newId(ctx),
          campaignId,
          campaignName: draft.name,
          subject,
          askedBy: ctx.userId,
          askedAt: at,
          note,
          expiresAt: new Date(at.getTime() + lastsMs),
        },
        { session: tx.session },
      )
      emitCampaignChanged(draft, causeOf(ctx), tx)
      await addNotifications(ctx, [askedOf(record, name, others)], tx)
      return record
    }).catch(async (error: unknown) => {
      const other = isDuplicateKey(error) ? await openOne() : undefined
      if (!other) throw error
      return other
    })
    return shown(made, draft)
  }

  /** The first decision counts. @throws `not_found`; `wrong_state` for one's own request, and where it is over. */
  async function decide(ctx: UserContext, id: string, decision: Decision): Promise<Approval> {
    const approval = isId(id) ? await approvals.read(ctx, id) : null
    if (!approval) throw errors.notFound('There is no such request.')
    if (approval.askedBy === ctx.userId) throw errors.wrongState('Another member has to decide on your request.')
    const draft = await drafts.read(ctx, approval.campaignId)
    checkPending(shown(approval, draft))
    const at = now()
    const isApproved = decision.decision === 'approve'
    const name = await nameOf(ctx)
    const decided = await transaction(async (tx) => {
      const record = await approvals.decide(
        ctx,
        id,
        {
          now: at,
          isApproved,
          decidedBy: ctx.userId,
          expiresAt: isApproved ? new Date(at.getTime() + lastsMs) : approval.expiresAt,
          ...('reason' in decision && { reason: decision.reason }),
        },
        { session: tx.session },
      )
      if (!record) return null
      if (draft) emitCampaignChanged(draft, causeOf(ctx), tx)
      await addNotifications(ctx, [decidedOf(record, name)], tx)
      return record
    })
    if (decided) return shown(decided, draft)
    const current = await approvals.read(ctx, id)
    if (!current) throw errors.notFound('There is no such request.')
    checkPending(shown(current, draft))
    throw errors.wrongState('Somebody else has decided on this request.')
  }

  /**
   * Checks that a campaign may be launched as its review has found it.
   * @returns what takes its approval, in the transaction of the launch: returns false where that was taken or replaced meanwhile.
   * @throws `approval_required`.
   */
  async function require(scope: WorkspaceScope, draft: UnderReview): Promise<(tx: Tx) => Promise<boolean>> {
    const { recipients } = subjectOf(draft)
    const { campaignRecipients } = await rules.read(scope)
    if (campaignRecipients === null || !needsApproval({ campaignRecipients, version: 0 }, recipients))
      return async () => true
    const approval = await approvals.latest(scope, draft.id)
    if (!approval || shown(approval, draft).state !== 'approved')
      throw new AppError(
        'approval_required',
        `Campaigns with more than ${recipientsText(campaignRecipients)} need the approval of a second member. ${nextStep(approval && shown(approval, draft))}`,
      )
    return (tx) => approvals.use(scope, approval.id, { session: tx.session })
  }

  /**
   * Checks who has a campaign go on that is no longer what was launched: with many more recipients, or another text, another member
   * than the one who launched it. @throws `approval_required`.
   */
  async function requireSecond(ctx: Caller, { frozen, expected, launched }: CampaignRecord): Promise<void> {
    if (!launched || !needsApproval(await rules.read(ctx), frozen.pending ?? expected.reachable)) return
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

  async function nameOf(ctx: UserContext): Promise<string> {
    return (await deps.members.find(ctx, [ctx.userId])).found.get(ctx.userId)?.name ?? 'A colleague'
  }

  function shown(record: ApprovalRecord, draft: DraftRecord | null): Approval {
    const { id, campaignId, campaignName, subject, askedBy, askedAt, note, expiresAt, decidedBy, decidedAt } = record
    const changed = record.open ? changeSince(subject, draft) : undefined
    const isOver = record.open === true && expiresAt <= now()
    return {
      id,
      state: changed !== undefined ? 'void' : isOver ? 'expired' : record.state,
      ...(changed !== undefined && { changed }),
      campaignId,
      campaignName: draft?.name ?? campaignName,
      recipients: subject.recipients,
      askedBy,
      askedAt: askedAt.toISOString(),
      note,
      expiresAt: expiresAt.toISOString(),
      ...(decidedBy !== undefined && { decidedBy }),
      ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
      ...(record.reason !== undefined && { reason: record.reason }),
    }
  }

  return { list, ofCampaign, ask, decide, require, requireSecond }
}

const subjectOf = ({ edition, template, review, frozen }: UnderReview): ApprovalSubject => ({
  edition,
  contentVersion: template.contentVersion ?? 0,
  conditions: review.facts.conditions ?? '',
  exclusions: review.facts.exclusions ?? '',
  recipients: frozen.pending ?? 0,
})

/** Tells what is no longer as a request has described it. A later review alone changes nothing; fewer recipients do not either. */
function changeSince(subject: ApprovalSubject, draft: DraftRecord | null): string | undefined {
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
  return recipients > subject.recipients
    ? `It has ${recipientsText(recipients)} now, and ${countOf(subject.recipients)} at the request.`
    : undefined
}

function checkPending({ state, changed }: Approval): void {
  if (state === 'approved' || state === 'declined' || state === 'used')
    throw errors.wrongState('Somebody else has decided on this request.')
  if (state === 'expired') throw errors.wrongState('The time to decide on this request is over.')
  if (state === 'void')
    throw errors.wrongState(`${changed ?? 'Another request has taken its place.'} Nothing to decide.`)
}
