import type { Conversation } from '@parley/contracts/inbox/conversations'
import { fullTime } from '../../../lib/relative-time.ts'

type Waits = Pick<Conversation, 'owner' | 'status' | 'waitingSince' | 'dueAt'>

/** Returns until when a person is to answer; `undefined` where a bot has the conversation, or nobody waits. */
function dueAtOf({ owner, status, dueAt }: Waits): Date | undefined {
  const isPeoples = owner.kind === 'member' || owner.kind === 'nobody'
  return dueAt !== undefined && isPeoples && status !== 'closed' ? new Date(dueAt) : undefined
}

export const isOverdue = (conversation: Waits, now: Date): boolean => {
  const dueAt = dueAtOf(conversation)
  return dueAt !== undefined && dueAt <= now
}

/** State of a response target, in words. */
interface Due {
  readonly state: 'due' | 'soon' | 'overdue'
  /** `12 min`, left or over. */
  readonly time: string
  /** Since when the customer waits, and until when an answer is wanted. */
  readonly title: string
}

const soonMs = 5 * 60_000

/** Returns what is shown of a conversation whose answer is due. */
export function dueOf(conversation: Waits, { now, timeZone }: { now: Date; timeZone: string }): Due | undefined {
  const dueAt = dueAtOf(conversation)
  if (!dueAt) return undefined
  const leftMs = dueAt.getTime() - now.getTime()
  const since = conversation.waitingSince
  const waits = since === undefined ? '' : `Waiting since ${fullTime(new Date(since), timeZone)}. `
  return {
    state: leftMs <= 0 ? 'overdue' : leftMs <= soonMs ? 'soon' : 'due',
    time: durationText(Math.abs(leftMs)),
    title: `${waits}${leftMs <= 0 ? 'The answer was due' : 'The answer is due'} ${fullTime(dueAt, timeZone)}.`,
  }
}

function durationText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}
