import type { CampaignCounts } from '@parley/contracts/campaigns/campaigns'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { RecipientState, Tallies } from './recipients.model.ts'

/** A group of rows, as the database counts them. */
export interface Group {
  readonly state: RecipientState
  readonly reason?: string | undefined
  readonly clicked?: boolean | null | undefined
  readonly replied?: boolean | null | undefined
  readonly count: number
}

/** Groups of rows as tallies: one of each state, of the reasons for leaving out, and of what recipients did. */
export function talliesOf(groups: readonly Group[]): Tallies {
  const tallies: Record<string, number> = {}
  const add = (key: string, count: number) => {
    tallies[key] = (tallies[key] ?? 0) + count
  }
  for (const { state, reason, clicked, replied, count } of groups) {
    add(state, count)
    if (state === 'skipped') add(`skipped ${reason}`, count)
    if (state === 'failed' && reason) add(`failed ${reason}`, count)
    if (clicked === true) add('clicked', count)
    if (replied === true) add('replied', count)
  }
  return tallies
}

export function sumOf(all: readonly Tallies[]): Tallies {
  const sum: Record<string, number> = {}
  for (const tallies of all) for (const [key, count] of Object.entries(tallies)) sum[key] = (sum[key] ?? 0) + count
  return sum
}

export const waitingIn = (tallies: Tallies): number => (tallies['pending'] ?? 0) + (tallies['queued'] ?? 0)

/** Counts as people see them: what was read was delivered, and what was delivered was sent. */
export function countsOf(tallies: Tallies): CampaignCounts {
  const count = (key: string) => tallies[key] ?? 0
  const skipped = (...reasons: string[]) => reasons.reduce((sum, reason) => sum + count(`skipped ${reason}`), 0)
  const excluded = {
    byChoice: skipped('excluded'),
    optedOut: skipped('opted_out'),
    noOptIn: skipped('no_opt_in'),
    countryRestricted: skipped('country_restricted'),
    recentlyMessaged: skipped('recently_messaged'),
    blocked: skipped('blocked'),
  }
  const others = count('skipped') - Object.values(excluded).reduce((sum, excludedCount) => sum + excludedCount, 0)
  const [read, delivered] = [count('read'), count('read') + count('delivered')]
  const [sent, failed, uncertain] = [delivered + count('sent'), count('failed'), count('uncertain')]
  return {
    audience: count('skipped') + waitingIn(tallies) + sent + failed + uncertain,
    excluded: { ...excluded, unreachable: others },
    queued: waitingIn(tallies),
    sent,
    delivered,
    read,
    // The rows do not show whether anything could be clicked.
    clicked: tallies['clicked'] ?? null,
    replied: sent > 0 ? count('replied') : null,
    failed,
    uncertain,
  }
}

/** Codes of failures with how many of each, the most frequent first. */
export const failuresOf = (tallies: Tallies): { code: number; count: number }[] =>
  Object.entries(tallies)
    .flatMap(([key, count]) => {
      const [, code] = /^failed (\d+)$/.exec(key) ?? []
      return code !== undefined && count > 0 ? [{ code: Number(code), count }] : []
    })
    .sort((left, right) => right.count - left.count || left.code - right.code)

type Sent = Pick<MessageRecord, 'status' | 'dispatch' | 'error'>

/** Returns the outcome of a message, as its recipient's row states it. */
export function rowStateOf({ status, dispatch, error }: Sent): Pick<Group, 'state' | 'reason'> {
  if (dispatch?.state === 'cancelled') return { state: 'skipped', reason: dispatch.reason ?? 'taken_back' }
  if (status === 'failed' && error) return { state: status, reason: String(error.code) }
  if (status !== undefined && status !== 'queued') return { state: status }
  // WhatsApp has taken it, whether or not a status tells so.
  if (dispatch?.state === 'accepted') return { state: 'sent' }
  return { state: dispatch?.state === 'uncertain' ? 'uncertain' : 'queued' }
}
