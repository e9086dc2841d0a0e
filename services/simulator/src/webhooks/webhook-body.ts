import { serialize } from './serialize.ts'

/** One change of an `entry`. */
export interface Change {
  readonly field: string
  readonly value: unknown
  /** The number that it is about. */
  readonly numberId?: string
}

type Told = Pick<Change, 'field' | 'value'>

/** Faults of webhooks that a person may cause. */
export interface WebhookFaults {
  signature: 'right' | 'wrong' | 'missing'
  /** Number of times each delivery is sent at once. */
  copies: number
  /** Milliseconds for which deliveries are held to go out together in reverse order; 0 sends each at once. */
  shuffleMs: number
  /** Milliseconds in which changes are collected into one delivery; 0 sends them as they come. */
  batchMs: number
  /** Number of entries over which the changes of a delivery are spread. */
  entries: number
  /** Nothing is sent while true, as if the platform had an outage. */
  paused: boolean
  /** Seconds by which every timestamp lies further back, as after an outage. */
  oldBySeconds: number
  /** Minimum bytes of a delivery. */
  paddingBytes: number
  /** Fields and a kind of change that no documentation names. */
  unknown: boolean
  /** Everything beyond ASCII is written as `\uXXXX`, a slash as `\/`. */
  escaped: boolean
}

export const usualFaults: WebhookFaults = {
  signature: 'right',
  copies: 1,
  shuffleMs: 0,
  batchMs: 0,
  entries: 1,
  paused: false,
  oldBySeconds: 0,
  paddingBytes: 0,
  unknown: false,
  escaped: true,
}

/** Builds the body of a delivery. @param now seconds since 1970. */
export function bodyOf(accountId: string, told: readonly Told[], faults: WebhookFaults, now: number): string {
  const changes = faults.unknown ? [...told.map(withUnknownFields), unknownChange] : told
  const perEntry = Math.ceil(changes.length / faults.entries)
  const entry = Array.from({ length: Math.ceil(changes.length / perEntry) }, (_, index) =>
    entryOf(accountId, changes.slice(index * perEntry, (index + 1) * perEntry), now),
  )
  const body = { object: 'whatsapp_business_account', entry: older(entry, faults.oldBySeconds) }
  const write = faults.escaped ? serialize : JSON.stringify
  const text = write(body)
  const missingBytes = faults.paddingBytes - Buffer.byteLength(text)
  return missingBytes > 0 ? write({ ...body, padding: 'x'.repeat(missingBytes) }) : text
}

const entryOf = (id: string, changes: readonly Told[], now: number) => ({
  id,
  ...(changes.some(({ field }) => field !== 'messages') && { time: now }),
  changes: changes.map(({ field, value }) => ({ value, field })),
})

const unknownChange: Told = { field: 'future_updates', value: { event: 'SOMETHING_NEW', detail: { level: 2 } } }

/** Adds an unknown field beside everything else, and in each message and status. */
function withUnknownFields(change: Told): Told {
  const future = { future_field: { kind: 'new', list: [1, 'two', null] } }
  const value = isRecord(change.value) ? change.value : {}
  const lists = ['messages', 'statuses'].flatMap((name) => {
    const list = value[name]
    return Array.isArray(list) ? [[name, list.map((item) => ({ ...item, ...future }))]] : []
  })
  return { ...change, value: { ...value, ...Object.fromEntries(lists), ...future } }
}

/** Returns the value with each `timestamp` and `time` this many seconds earlier. */
function older(value: unknown, seconds: number): unknown {
  if (seconds === 0) return value
  if (Array.isArray(value)) return value.map((item) => older(item, seconds))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== 'timestamp' && name !== 'time') return [name, older(inner, seconds)]
      return [name, typeof inner === 'string' ? String(Number(inner) - seconds) : Number(inner) - seconds]
    }),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
