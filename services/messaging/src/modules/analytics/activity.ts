import type { ActivityItem } from '@parley/contracts/platform/dashboard'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { levelsOf } from './levels.ts'

/** Something that happened lately; names are read when it is shown, so that nothing of an erased person is kept. */
export interface Activity {
  /** Events of one key within two hours are one activity: its latest. */
  readonly key: string
  readonly kind: ActivityItem['kind']
  readonly text: string
  readonly object: { readonly kind: ActivityItem['object']['kind']; readonly id: string }
  /** Name of a bot of the sample data: bots are kept elsewhere. */
  readonly name?: string | undefined
  readonly at: Date
}

const maxActivities = 50
const togetherMs = 2 * 3_600_000

const campaignTexts: Readonly<Record<string, string>> = {
  completed: 'Campaign completed',
  scheduled: 'Campaign scheduled',
  paused: 'Campaign paused',
}

/** Returns what an event adds to the latest activity. */
export function activityOf(event: RecordedEvent): Activity | undefined {
  if (event.type === 'campaign.changed') {
    const { campaignId, became } = event.data
    const text = became && campaignTexts[became.after]
    if (text === undefined) return undefined
    const object = { kind: 'campaign' as const, id: campaignId }
    return { key: `${became?.after}:${campaignId}`, kind: 'campaign', text, object, at: new Date(event.recordedAt) }
  }
  if (event.type === 'conversation.changed') return endOfBot(event)
  if (event.type !== 'message.changed') return undefined
  const { direction, created, notice, moved, conversationId, cause, causeId } = event.data
  const object = { kind: 'conversation' as const, id: conversationId }
  if (direction === 'inbound' && created && !notice)
    return {
      key: `message:${conversationId}`,
      kind: 'message',
      text: 'New message received',
      object,
      at: new Date(event.at),
    }
  if (!moved || !levelsOf(moved.to).failed) return undefined
  // A campaign begins no conversation, and its failures are one activity.
  const about = cause === 'campaign' && causeId !== undefined ? { kind: 'campaign' as const, id: causeId } : object
  return {
    key: `failed:${about.id}`,
    kind: 'error',
    text: 'Unable to deliver message',
    object: about,
    at: new Date(moved.at),
  }
}

/** Returns what a bot's end in a conversation adds; a bot that goes on as another has not ended. */
function endOfBot(event: Extract<RecordedEvent, { type: 'conversation.changed' }>): Activity | undefined {
  const { conversation, became } = event.data
  const { owned } = became ?? {}
  if (!owned || event.by.kind !== 'bot' || owned.reason === 'bot') return undefined
  const { id, owner, waitingSince } = conversation
  const isResolved = owned.completed === true || owned.reason === 'closed'
  const isWithPeople = owner.kind === 'member' || waitingSince !== undefined
  return {
    key: `bot:${id}`,
    kind: 'bot',
    text: isWithPeople
      ? 'Bot handed over to a person'
      : isResolved
        ? 'Bot resolved a conversation'
        : 'Bot ended a conversation',
    object: { kind: 'conversation', id },
    at: new Date(event.recordedAt),
  }
}

/** Returns the latest activities, newest first. */
export function withActivities(before: readonly Activity[], added: readonly Activity[]): Activity[] {
  const kept: Activity[] = []
  for (const one of [...added.toReversed(), ...before].sort((left, right) => right.at.getTime() - left.at.getTime())) {
    if (kept.length === maxActivities) break
    const isTold = kept.some(({ key, at }) => key === one.key && at.getTime() - one.at.getTime() < togetherMs)
    if (!isTold) kept.push(one)
  }
  return kept
}
