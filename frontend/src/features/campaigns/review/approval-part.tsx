import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { Approval } from '@parley/contracts/platform/approvals'
import { Button } from 'antd'
import { useState } from 'react'
import { useApprovalChanges } from '../../../lib/approvals.ts'
import { useMay, useMemberName } from '../../../lib/choices/members.ts'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useUser } from '../../../lib/user.ts'
import { ApprovalNote } from '../../../ui/approval/approval-note.tsx'
import { Decision } from '../../../ui/approval/decision.tsx'
import shared from '../new/new-broadcast.module.css'
import styles from './review.module.css'
import type { Review } from './use-review.ts'

/** Asks for the approval of a large campaign, shows what became of the request, and has another member decide on it. */
export function ApprovalPart({ state, review }: { state: Review; review: CampaignReview }) {
  const { approval: request, isNeeded, limits, draftId } = state.approval
  const userId = useUser().data?.id
  const mayDecide = useMay('approvals:decide') === true
  if (!isNeeded || request === undefined) return null
  const isPending = request?.state === 'pending'
  return (
    <section className={styles['changes']} aria-label="Approval">
      <div className={styles['stack']}>
        <p className={shared['strong']}>{isPending ? 'Waits for an approval' : 'Approval'}</p>
        <p>
          {ruleOf(limits)} need the approval of a second member. This one has {formatCount(review.counts.recipients)}.
        </p>
        {request && <Told request={request} />}
        {isPending && mayDecide && request.askedBy !== userId && <Decision draftId={draftId} id={request.id} />}
        {!isPending && request?.state !== 'approved' && !state.mayNotSend && (
          <Ask draftId={draftId} preflightId={review.id} />
        )}
      </div>
    </section>
  )
}

function ruleOf({ recipients, cost }: { recipients: number | null; cost: number | null }): string {
  const limits = [
    ...(recipients === null ? [] : [`with more than ${counted(recipients, 'recipient')}`]),
    ...(cost === null ? [] : [`that cost more than ${formatCount(cost)}, or an unknown amount`]),
  ]
  return `Campaigns ${limits.join(', or ')}${cost === null ? '' : ','}`
}

const states: Partial<Record<Approval['state'], string>> = {
  void: 'The request no longer counts.',
  expired: 'The time of the request is over.',
}

function Told({ request }: { request: Approval }) {
  const nameOf = useMemberName()
  const { timeZone } = useClock(0)
  const { state, askedBy, askedAt, note, decidedBy, reason, expiresAt, changed } = request
  const time = (at: string) =>
    dateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
  return (
    <div role="status" className={styles['small']} dir="auto">
      <p>
        {nameOf(askedBy)} asked on {time(askedAt)}.{note && ` “${note}”`}
      </p>
      {state === 'pending' && <p>It can be decided until {time(expiresAt)}.</p>}
      {state === 'approved' && (
        <p>
          {nameOf(decidedBy)} has approved it. It can be sent until {time(expiresAt)}, as long as nothing changes.
        </p>
      )}
      {state === 'declined' && (
        <p>
          {nameOf(decidedBy)} has declined it: “{reason}”
        </p>
      )}
      {states[state] && (
        <p>
          {states[state]} {changed}
        </p>
      )}
    </div>
  )
}

function Ask({ draftId, preflightId }: { draftId: string; preflightId: string }) {
  const [note, setNote] = useState('')
  const { ask } = useApprovalChanges(draftId)
  return (
    <>
      <ApprovalNote note={note} onChange={setNote} />
      <div>
        <Button loading={ask.isPending} onClick={() => ask.mutate({ preflightId, note })}>
          Ask for Approval
        </Button>
      </div>
    </>
  )
}
