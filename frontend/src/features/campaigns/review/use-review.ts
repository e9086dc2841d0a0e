import type { CampaignReview, ReviewWarning } from '@parley/contracts/campaigns/campaign-drafts'
import type { CampaignDraft } from '@parley/contracts/campaigns/campaign-fields'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { approvalsApi, needsApproval } from '@parley/contracts/platform/approvals'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../../lib/api.ts'
import { approvalRulesOptions } from '../../../lib/choices/approvals.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { formatCount, formatMicros } from '../../../lib/format.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'
import { toast } from '../../../ui/toast.ts'
import { reviewOptions, useLaunchDraft } from '../drafts-api.ts'
import { everyExclusion } from '../labels.ts'

/** Minimum milliseconds before it is requested again, whatever the difference of the clocks of server and page. */
const soonestMs = 10_000

/** Refusals that a review made again says more of. */
const shownByReview = [
  'validation_failed',
  'audience_empty',
  'template_not_approved',
  'quota_exceeded',
  'schedule_past',
]

interface Reviewed {
  /** The draft as the server has it; absent until it has what is in the steps. */
  readonly draft: CampaignDraft | undefined
  /** Set while the review is in view. */
  readonly enabled: boolean
  readonly onLaunched: (campaign: Campaign, review: CampaignReview) => void
}

/** The review of a draft, made again when it no longer holds, and its launch. */
export function useReview({ draft, enabled, onLaunched }: Reviewed) {
  const client = useQueryClient()
  const { id = '', version = 0 } = draft ?? {}
  const query = useQuery({ ...reviewOptions(id, version), enabled: enabled && draft !== undefined })
  const { refetch, dataUpdatedAt } = query
  // A review of another draft, or of another version, is never shown for this one.
  const review = draft ? query.data : undefined
  const ready = review?.state === 'ready' ? review : undefined
  const [seen, setSeen] = useState<{ draft: string; now: CampaignReview; before?: CampaignReview }>()
  const of = `${id} ${version}`
  if (ready && (seen?.draft !== of || seen.now.id !== ready.id))
    setSeen({ draft: of, now: ready, ...(seen?.draft === of && { before: seen.now }) })
  else if (ready && seen && seen.now !== ready) setSeen({ ...seen, now: ready })
  const before = seen?.draft === of && ready ? seen.before : undefined

  useRenewal(enabled ? ready?.validUntil : undefined, dataUpdatedAt, refetch)
  useDraftReadAgain(id, query.error)

  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const [asked, setAsked] = useState(0)
  const [isStale, setIsStale] = useState(false)
  const [isForbidden, setIsForbidden] = useState(false)
  const mayNotSend = useIsRefused('campaigns:send') || isForbidden
  if (isStale && ready && before) setIsStale(false)
  const warnings = (ready?.warnings ?? []).map((warning) => ({
    ...warning,
    isConfirmed: confirmed.includes(keyOf(warning)),
  }))
  const launch = useLaunchDraft()
  const approval = useApproval(id, ready)
  // The second half of a double press may come after the answer and before the page has gone.
  const isOver = useRef(false)

  function refused(error: Error): void {
    const code = error instanceof ApiError ? (error.body.code ?? '') : ''
    const isRefused = error instanceof ApiError && error.status === 403
    setIsForbidden(isRefused)
    if (isRefused) return
    if (code === 'wrong_state' || code === 'not_found')
      void client.invalidateQueries({ queryKey: campaignKeys.draft(id) })
    if (code === 'approval_required') void client.invalidateQueries({ queryKey: campaignKeys.approval(id) })
    if (code === 'preflight_stale') setIsStale(true)
    else toast.error(explain(error, 'The campaign could not be started. The draft is still here.'))
    if (code === 'preflight_stale' || shownByReview.includes(code)) void refetch()
  }

  return {
    review,
    ready,
    error: draft ? query.error : null,
    again: () => void refetch(),
    /** True while it is made again, because it had expired at the launch. */
    isStale,
    /** Differences between a new review and the one looked at; undefined where there was none. */
    changes: before && ready ? changesOf(before, ready) : undefined,
    warnings,
    /** Number of times that a warning was passed over. */
    asked,
    confirm(warning: { code: ReviewWarning; message: string }, isConfirmed: boolean): void {
      const key = keyOf(warning)
      setConfirmed((others) => [...others.filter((other) => other !== key), ...(isConfirmed ? [key] : [])])
    },
    mayNotSend,
    isLaunching: launch.isPending,
    approval,
    canLaunch: ready !== undefined && ready.problems.length === 0 && !mayNotSend && !isStale && !approval.isMissing,
    launch(): void {
      if (!ready || ready.problems.length > 0 || mayNotSend || isStale || approval.isMissing || isOver.current) return
      const isOpen = warnings.some(({ isConfirmed }) => !isConfirmed)
      setAsked(isOpen ? asked + 1 : 0)
      if (isOpen) return
      const accepted = warnings.map(({ code }) => code)
      launch.mutate(
        { id, preflightId: ready.id, accepted },
        {
          onSuccess: (campaign) => {
            isOver.current = true
            onLaunched(campaign, ready)
          },
          onError: refused,
        },
      )
    },
  }
}
export type Review = ReturnType<typeof useReview>

/** One that says something else than before is to be confirmed again. */
const keyOf = ({ code, message }: { code: ReviewWarning; message: string }) => `${code} ${message}`

/** Makes a review again when it expires: at once, or when the page is looked at again. */
function useRenewal(validUntil: string | undefined, readAt: number, renew: () => unknown): void {
  useEffect(() => {
    if (validUntil === undefined) return
    const over = new AbortController()
    const onEnd = () => {
      if (document.visibilityState === 'visible') return void renew()
      document.addEventListener('visibilitychange', () => void renew(), { once: true, signal: over.signal })
    }
    const timer = setTimeout(onEnd, Math.max(Date.parse(validUntil) - Date.now(), readAt + soonestMs - Date.now()))
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [validUntil, readAt, renew])
}

/** Refetches a draft that another member has changed, launched or deleted: the steps report it. */
function useDraftReadAgain(id: string, error: Error | null): void {
  const client = useQueryClient()
  const code = error instanceof ApiError ? error.body.code : undefined
  useEffect(() => {
    if (code === 'stale_version' || code === 'not_found' || code === 'wrong_state')
      void client.invalidateQueries({ queryKey: campaignKeys.draft(id) })
  }, [client, id, code])
}

interface ReviewChange {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** Returns the differences between a review and the one before. */
function changesOf(before: CampaignReview, after: CampaignReview): ReviewChange[] {
  const reasons = everyExclusion(before.counts.excluded)
  return [
    changed('Audience', formatCount(before.counts.audience), formatCount(after.counts.audience)),
    ...everyExclusion(after.counts.excluded).map(({ reason, count }, index) =>
      changed(`Left out: ${reason}`, formatCount(reasons[index]?.count ?? 0), formatCount(count)),
    ),
    changed('Get the message', formatCount(before.counts.recipients), formatCount(after.counts.recipients)),
    changed('WhatsApp charges at most', chargeOf(before), chargeOf(after)),
  ].filter(({ before: was, after: is }) => was !== is)
}

const changed = (label: string, before: string, after: string): ReviewChange => ({ label, before, after })

const chargeOf = ({ cost }: CampaignReview): string =>
  cost?.card ? formatMicros(sumOf(cost.lines).micros, cost.card.currency) : 'not known'

const approvalOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.approval(id),
    queryFn: async ({ signal }) => (await call(approvalsApi.ofCampaign, { params: { id }, signal })).approval,
  })

/** Tells whether a reviewed draft needs an approval, and the latest request for one. */
function useApproval(id: string, ready: CampaignReview | undefined) {
  const { data: rules } = useQuery(approvalRulesOptions())
  const size = { recipients: ready?.counts.recipients ?? 0, ...sumOf(ready?.cost?.lines ?? []) }
  const isNeeded = rules !== undefined && ready !== undefined && needsApproval(rules, size)
  const { data: approval } = useQuery({ ...approvalOptions(id), enabled: isNeeded })
  return {
    draftId: id,
    limits: { recipients: rules?.campaignRecipients ?? null, cost: rules?.campaignCost ?? null },
    isNeeded,
    approval,
    isMissing: isNeeded && approval?.state !== 'approved',
  }
}
