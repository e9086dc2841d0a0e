import { type EarlierStarts, hasStarted } from '../runs/earlier-starts.ts'
import type { RunRecord } from '../runs/runs.service.ts'

/** Runs of one contact in the order of their times, and those that may have its place. */
interface OfContact {
  runs: RunRecord[]
  placed: RunRecord[]
}

/** Keeps the runs of one workflow in memory, as a play begins them, in the order of their times. */
export function createPlayedStarts() {
  const ofContact = new Map<string, OfContact>()
  const eventIds = new Set<string>()
  /** Contacts under the ids that they had when it started for them. */
  const contacts = new Set<string>()
  const begun: RunRecord[] = []
  /** Number of those that began too long ago to count again: the time of a play only rises. */
  let past = 0

  function known(contactId: string): OfContact {
    const one = ofContact.get(contactId) ?? { runs: [], placed: [] }
    ofContact.set(contactId, one)
    return one
  }
  const hasSlot = ({ slot }: RunRecord): boolean => slot !== undefined

  const earlier: EarlierStarts = {
    enrolled: async ({ contactId }) => {
      const one = ofContact.get(contactId)
      if (one) one.placed = one.placed.filter(hasSlot)
      const lastAt = one?.runs.at(-1)?.createdAt.getTime()
      return { takesPart: one !== undefined && one.placed.length > 0, lastAt }
    },
    countStarts: async ({ contactId, since, limit }) => {
      const isSince = ({ createdAt }: RunRecord): boolean => createdAt > since
      if (contactId === undefined) {
        for (let oldest = begun[past]; oldest && !isSince(oldest); oldest = begun[past]) past += 1
        return Math.min(limit, begun.length - past)
      }
      const recent = ofContact.get(contactId)?.runs.filter(hasStarted).slice(-limit) ?? []
      return recent.filter(isSince).length
    },
    isStartedBy: async (_flowId, ids) => ids.some((id) => eventIds.has(id)),
  }

  function add(run: RunRecord): void {
    const { runs, placed } = known(run.contactId)
    runs.push(run)
    if (hasSlot(run)) placed.push(run)
    if (hasStarted(run)) begun.push(run)
    contacts.add(run.contactId)
    eventIds.add(run.startedBy.eventId)
  }

  /**
   * Two contacts become one: live runs of the other, and its place, go to the one that is kept.
   * If that has a place already, the other's is lost.
   */
  function merge(contactId: string, otherId: string): void {
    const [kept, other] = [known(contactId), known(otherId)]
    const isTaken = kept.placed.some(hasSlot)
    const moved = new Set(other.runs.filter((run) => run.live || hasSlot(run)))
    other.runs = other.runs.filter((run) => !moved.has(run))
    kept.runs = [...kept.runs, ...moved].sort((one, next) => one.createdAt.getTime() - next.createdAt.getTime())
    if (!isTaken) kept.placed = other.placed
    other.placed = []
    for (const run of moved) {
      run.contactId = contactId
      if (isTaken) run.slot = undefined
    }
  }

  return {
    earlier,
    /** Counts the contacts for whom it has started. */
    contacts: () => contacts.size,
    add,
    merge,
  }
}
