import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { type Approval, approvalHours, type approvalsApi } from '@parley/contracts/platform/approvals'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { AskPeople, MemberFactsService } from '../../platform/member-facts.ts'
import type { AddNotifications } from '../../platform/notification.ts'
import { askedOf, decidedOf, nextStep } from './approval-texts.ts'
import type { ApprovalPlace, ApprovalRecord, AskedSubject, LaunchSubject } from './approvals.model.ts'
import { createApprovalsRepository } from './approvals.repository.ts'

export type { ApprovalPlace, ApprovalRecord, AskedSubject, LaunchSubject } from './approvals.model.ts'

type Decision = EndpointInput<typeof approvalsApi.decide>['body']

/** Changes to a subject since the request. */
export interface AskedNow {
  /** Name that it has now; absent where it has none, or is gone. */
  readonly name?: string | undefined
  /** Tells what is no longer as the request has described it. */
  readonly changed?: string | undefined
}

/** Functions of higher modules: those of what can be asked for. */
export interface AboveApprovals {
  readonly askedNow: (scope: WorkspaceScope, record: ApprovalRecord) => Promise<AskedNow>
  /** Announces to open pages that a request for a campaign has changed. */
  readonly emitDecided: (ctx: UserContext, record: ApprovalRecord, tx: Tx) => Promise<void>
}

interface Dependencies extends AboveApprovals {
  readonly addNotifications: AddNotifications
  readonly mongo: ServiceConnection
  readonly members: Pick<MemberFactsService, 'find'>
  readonly askPeople: AskPeople
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

export type Approvals = ReturnType<typeof createApprovals>

/** Description of the subject of a request. */
type Described = { readonly campaignName: string; readonly subject: LaunchSubject } | { readonly asked: AskedSubject }

const lastsMs = approvalHours * 3600_000

/** Requests of members to do something that another member has to approve. */
export function createApprovals(deps: Dependencies) {
  const { askPeople, addNotifications, transaction, now = () => new Date() } = deps
  const approvals = createApprovalsRepository(deps.mongo)

  async function list(ctx: UserContext): Promise<{ items: Approval[] }> {
    const [pending, approved] = await Promise.all([
      approvals.pending(ctx, now()),
      approvals.approvedFor(ctx, ctx.userId, now()),
    ])
    const items = await Promise.all([...pending, ...approved].map((record) => show(ctx, record)))
    return { items: items.filter(({ state }) => state === 'pending' || state === 'approved') }
  }

  const latest = async (scope: WorkspaceScope, place: ApprovalPlace): Promise<Approval | null> => {
    const record = await approvals.latest(scope, place)
    return record && show(scope, record)
  }

  /**
   * The same asked again is the same request.
   * @param describe called where there is no open request yet.
   * @throws `wrong_state` where nobody else could give it.
   */
  async function ask(
    ctx: UserContext,
    { place, note, describe }: { place: ApprovalPlace; note: string; describe: () => Promise<Described> },
  ): Promise<Approval> {
    const openOne = async (options: SessionOption = {}) => {
      const record = await approvals.latest(ctx, place, options)
      const shown = record && (await show(ctx, record))
      return shown && (shown.state === 'pending' || shown.state === 'approved') ? shown : undefined
    }
    const open = await openOne()
    if (open) return open
    const { deciders } = await askPeople(ctx)
    const others = deciders.filter((userId) => userId !== ctx.userId)
    if (others.length === 0)
      throw errors.wrongState('Nobody else can decide on approvals. Invite another owner or admin first.')
    const [name, described] = [await nameOf(ctx), await describe()]
    const askedAt = now()
    return transaction(async (tx) => {
      // Another member may have asked at the same time.
      const other = await openOne({ session: tx.session })
      if (other) return other
      const expiresAt = new Date(askedAt.getTime() + lastsMs)
      const request = { _id: newId(ctx), ...described, askedBy: ctx.userId, askedAt, note, expiresAt }
      const record = await approvals.replace(ctx, place, request, { session: tx.session })
      await deps.emitDecided(ctx, record, tx)
      const shown = await show(ctx, record)
      await addNotifications(ctx, [askedOf(shown, name, others)], tx)
      return shown
    }).catch(async (error: unknown) => {
      const other = isDuplicateKey(error) ? await openOne() : undefined
      if (!other) throw error
      return other
    })
  }

  /** The first decision counts. @throws `not_found`; `wrong_state` for one's own request, and where it is over. */
  async function decide(ctx: UserContext, id: string, decision: Decision): Promise<Approval> {
    const approval = await find(ctx, id)
    if (approval.askedBy === ctx.userId) throw errors.wrongState('Another member has to decide on your request.')
    checkPending(await show(ctx, approval))
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
      await deps.emitDecided(ctx, record, tx)
      const shown = await show(ctx, record)
      await addNotifications(ctx, [decidedOf(shown, name, at)], tx)
      return shown
    })
    if (decided) return decided
    checkPending(await show(ctx, await find(ctx, id)))
    throw errors.wrongState('Somebody else has decided on this request.')
  }

  async function find(scope: WorkspaceScope, id: string): Promise<ApprovalRecord> {
    const approval = isId(id) ? await approvals.read(scope, id) : null
    if (!approval) throw errors.notFound('There is no such request.')
    return approval
  }

  /**
   * Finds the approval of something that needs one.
   * @param rule why it needs one, as a sentence.
   * @throws `approval_required`, with what to do next.
   */
  async function approved(scope: WorkspaceScope, place: ApprovalPlace, rule: string): Promise<ApprovalRecord> {
    const record = await approvals.latest(scope, place)
    const shown = record && (await show(scope, record))
    if (record && shown?.state === 'approved') return record
    // Tells a page that there is nothing to ask for.
    const fields = shown?.state === 'pending' ? { approval: 'pending' } : {}
    throw new AppError('approval_required', `${rule} ${nextStep(shown)}`, { fields })
  }

  /** Takes an approval, in the transaction of what was asked. @throws `approval_required` where it was taken or replaced meanwhile. */
  async function take(scope: WorkspaceScope, { id }: ApprovalRecord, tx: Pick<Tx, 'session'>): Promise<void> {
    if (!(await approvals.use(scope, id, { session: tx.session })))
      throw new AppError('approval_required', 'Its approval was replaced. Ask again.')
  }

  /** Ends an approval of something that is no longer what was asked for. @throws `approval_required`, always. */
  async function refuse(scope: WorkspaceScope, { id }: ApprovalRecord, changed: string): Promise<never> {
    await approvals.end(scope, id, changed)
    throw new AppError('approval_required', `${changed} Ask again.`)
  }

  async function nameOf(ctx: UserContext): Promise<string> {
    return (await deps.members.find(ctx, [ctx.userId])).found.get(ctx.userId)?.name ?? 'A colleague'
  }

  async function show(scope: WorkspaceScope, record: ApprovalRecord): Promise<Approval> {
    const { id, askedBy, askedAt, note, expiresAt, decidedBy, decidedAt, reason } = record
    const current = await deps.askedNow(scope, record)
    const changed = record.open ? current.changed : record.changed
    const isOver = record.open === true && expiresAt <= now()
    return {
      id,
      state: record.open && changed !== undefined ? 'void' : isOver ? 'expired' : record.state,
      ...(changed !== undefined && { changed }),
      subject: subjectOf(record, current.name),
      askedBy,
      askedAt: askedAt.toISOString(),
      note,
      expiresAt: expiresAt.toISOString(),
      ...(decidedBy !== undefined && { decidedBy }),
      ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
      ...(reason !== undefined && { reason }),
    }
  }

  return { list, latest, ask, decide, approved, take, refuse }
}

function subjectOf({ campaignId, campaignName, subject, asked }: ApprovalRecord, name?: string): Approval['subject'] {
  if (asked?.kind === 'number_removal') return { ...asked, name: name ?? asked.name }
  if (asked) {
    const { conditions: _conditions, upTo: _upTo, ...shown } = asked
    return shown
  }
  const { recipients = 0, costMicros: micros, currency, unpriced = 0 } = subject ?? {}
  return {
    kind: 'campaign',
    campaignId: campaignId ?? '',
    name: name ?? campaignName ?? '',
    recipients,
    ...(micros !== undefined && currency !== undefined && { cost: { micros, currency, unpriced } }),
  }
}

function checkPending({ state, changed }: Approval): void {
  if (state === 'approved' || state === 'declined' || state === 'used')
    throw errors.wrongState('Somebody else has decided on this request.')
  if (state === 'expired') throw errors.wrongState('The time to decide on this request is over.')
  if (state === 'void')
    throw errors.wrongState(`${changed ?? 'Another request has taken its place.'} Nothing to decide.`)
}
