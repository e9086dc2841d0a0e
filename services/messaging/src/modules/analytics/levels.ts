import type { MessageRecord } from '../inbox/messages/messages.service.ts'

/** Bounds of the counters of how long first answers took, in seconds of opening hours; the last counter has all beyond. */
export const answerTimeBounds = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800, 86_400] as const
export const answerTimes = ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9', 't10', 't11'] as const
/** Counters of how long conversations were open until they were closed, with the same bounds. */
export const closeTimes = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11'] as const

const metrics = [
  ...(['sent', 'delivered', 'read', 'failed', 'received', 'begun', 'answered', 'taken', 'resolved'] as const),
  // Counts of members: answers, those with a target, those that came after it, and how long first ones took.
  ...(['replied', 'targeted', 'late'] as const),
  ...answerTimes,
  // Conversations that members and bots have closed, and of members how long these were open.
  'closed',
  ...closeTimes,
] as const
export type Metric = (typeof metrics)[number]
export type Counts = Readonly<Partial<Record<Metric, number>>>

const dayMs = 86_400_000
const slotMs = 15 * 60_000
/** An answer that comes later does not count as one. */
export const answerLimitMs = dayMs

/** The quarter of an hour, of a day in UTC, in which something is counted: midnight of every zone begins one. */
export interface Place {
  /** `2026-03-14`. */
  readonly day: string
  readonly slot: number
}

export const placeOf = (at: Date): Place => ({
  day: at.toISOString().slice(0, 10),
  slot: Math.floor((at.getTime() % dayMs) / slotMs),
})

export const momentOfPlace = ({ day, slot }: Place): number => Date.parse(`${day}T00:00:00Z`) + slot * slotMs

/**
 * Returns what an outbound message of this status counts as. Counters are sums of differences of two of these: they equal
 * those of the final statuses, in whatever order messages came to them.
 */
export function levelsOf(status: MessageRecord['status'] | null): Counts {
  switch (status) {
    case 'sent':
      return { sent: 1 }
    case 'delivered':
      return { sent: 1, delivered: 1 }
    case 'read':
      return { sent: 1, delivered: 1, read: 1 }
    case 'failed':
      return { failed: 1 }
    default:
      return {}
  }
}

/** A time that a customer waited, as far as it is counted. */
export interface Waited {
  readonly since: Date
  readonly answeredAt?: Date | undefined
  readonly closedAt?: Date | undefined
  readonly handedOver?: true | undefined
}

/** Returns what it counts as: closed without an answer it is neither answered nor late; after a bot's answer it is no further one. */
export function levelsOfWaiting({ since, answeredAt, closedAt, handedOver }: Waited): Counts {
  if (handedOver) return {}
  if (!answeredAt) return closedAt ? {} : { begun: 1 }
  return answeredAt.getTime() - since.getTime() <= answerLimitMs ? { begun: 1, answered: 1 } : { begun: 1 }
}

/** A time that a customer waited, as far as it is counted of who answered. */
interface Replied extends Waited {
  readonly by?: { readonly kind: string; readonly id: string } | undefined
  readonly first?: true | undefined
  readonly openSeconds?: number | undefined
  readonly dueAt?: Date | undefined
  readonly late?: true | undefined
}

/** Returns what an answer counts as for the member or bot who gave it. */
export function levelsOfAnswer(replied: Replied): Counts {
  const { by, answeredAt, first, openSeconds, dueAt, late } = replied
  if (!answeredAt) return {}
  const answered = levelsOfWaiting(replied).answered ? { answered: 1 } : {}
  if (by?.kind !== 'member') return answered
  const taken = first && openSeconds !== undefined && answerTimes[placeOfSeconds(openSeconds)]
  return {
    ...answered,
    replied: 1,
    ...(dueAt && { targeted: 1 }),
    ...(late && { late: 1 }),
    ...(taken && { [taken]: 1 }),
  }
}

function placeOfSeconds(seconds: number): number {
  const place = answerTimeBounds.findIndex((bound) => seconds <= bound)
  return place < 0 ? answerTimeBounds.length : place
}

/** Returns what a conversation that a bot took over counts as. */
export const levelsOfTakeOver = ({ resolved }: { readonly resolved?: true | undefined }): Counts =>
  resolved ? { taken: 1, resolved: 1 } : { taken: 1 }

/** Returns what a conversation that was closed counts as for the member or bot who closed it. */
export function levelsOfClosure({
  by,
  openSeconds,
}: {
  readonly by: { readonly kind: string }
  readonly openSeconds?: number | undefined
}): Counts {
  const time = by.kind === 'member' && openSeconds !== undefined && closeTimes[placeOfSeconds(openSeconds)]
  return { closed: 1, ...(time && { [time]: 1 }) }
}

/** Returns the counters that change, and by how much. */
export function differenceOf(from: Counts, to: Counts): Counts {
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const change = (to[metric] ?? 0) - (from[metric] ?? 0)
      return change === 0 ? [] : [[metric, change]]
    }),
  )
}

/** Changes of counters: of one scope and day, by quarter of an hour. */
export interface DayCounts {
  readonly scope: string
  readonly day: string
  readonly slots: Readonly<Record<string, Counts>>
}

/** Sums changes up, so that each document is written once. */
export function createSums() {
  const sums = new Map<string, { scope: string; day: string; slots: Record<string, Record<string, number>> }>()
  return {
    add: (scopes: readonly string[], at: Date, counts: Counts): void => {
      const { day, slot } = placeOf(at)
      for (const scope of scopes)
        for (const [metric, count] of Object.entries(counts)) {
          if (count === 0) continue
          const key = `${day} ${scope}`
          const sum = sums.get(key) ?? { scope, day, slots: {} }
          sums.set(key, sum)
          const own = sum.slots[slot] ?? {}
          sum.slots[slot] = own
          own[metric] = (own[metric] ?? 0) + count
        }
    },
    /** Levels that are not zero. */
    all: (): DayCounts[] =>
      [...sums.values()].flatMap(({ slots, ...sum }) => {
        const changed = Object.entries(slots).flatMap(([slot, counts]) => {
          const own = Object.entries(counts).filter(([, count]) => count !== 0)
          return own.length === 0 ? [] : [[slot, Object.fromEntries(own)] as const]
        })
        return changed.length === 0 ? [] : [{ ...sum, slots: Object.fromEntries(changed) }]
      }),
  }
}
export type Sums = ReturnType<typeof createSums>

export const workspaceFigures = 'workspace'
export const ofNumber = (id: string): string => `number:${id}`
export const ofBot = (id: string): string => `${botFigures}${id}`
/** Beginning of the scopes of members. */
export const memberFigures = 'member:'
/** Beginning of the scopes of bots. */
export const botFigures = 'bot:'
/** Returns the id of the number, member or bot whose figures they are. */
export const idOfScope = (scope: string): string => scope.slice(scope.indexOf(':') + 1)

/** Scopes in which a message counts. */
export function scopesOfMessage({
  numberId,
  cause,
}: {
  readonly numberId: string
  readonly cause?: { readonly kind: string; readonly id: string } | undefined
}): string[] {
  return [workspaceFigures, ofNumber(numberId), ...scopesOfActor(cause)]
}

/** The scope of the member or bot who has written. */
export const scopesOfActor = (actor: { readonly kind: string; readonly id: string } | undefined): string[] =>
  actor?.kind === 'member' || actor?.kind === 'bot' ? [`${actor.kind}:${actor.id}`] : []
