import type { StoredEvent } from './event-log.ts'

type Orderable = Pick<StoredEvent, '_id' | 'at' | 'recordId' | 'version'>

/** Orders a batch for numbering: events of one record by its version, all others by the time at their source. */
export function orderEvents<T extends Orderable>(events: readonly T[]): T[] {
  const byTime = [...events].sort((a, b) => Number(a.at) - Number(b.at) || compareIds(a, b))
  const byRecord = new Map<string, T[]>()
  for (const event of byTime) {
    if (event.recordId === undefined) continue
    byRecord.set(event.recordId, [...(byRecord.get(event.recordId) ?? []), event])
  }
  for (const ofRecord of byRecord.values()) ofRecord.sort((a, b) => (a.version ?? 0) - (b.version ?? 0))
  // Each position of a record's events takes the next one of that record.
  return byTime.map((event) =>
    event.recordId === undefined ? event : (byRecord.get(event.recordId)?.shift() ?? event),
  )
}

const compareIds = (a: Orderable, b: Orderable): number => (a._id.toHexString() < b._id.toHexString() ? -1 : 1)
