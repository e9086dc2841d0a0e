import type { EarlierStarts } from '../runs/earlier-starts.ts'
import type { RunRecord } from '../runs/runs.service.ts'

/** Keeps the runs of one workflow in memory, as a play begins them, in the order of their times. */
export function createPlayedStarts() {
  const ofContact = new Map<string, RunRecord[]>()
  const eventIds = new Set<string>()
  /** Contacts under the ids that they had when it started for them. */
  const contacts = new Set<string>()
  let lately: RunRecord[] = []

  const runsOf = (contactId: string): readonly RunRecord[] => ofContact.get(contactId) ?? []
  const hasSlot = ({ slot }: RunRecord): boolean => slot !== undefined

  const earlier: EarlierStarts = {
    enrolled: async (_flowId, contactId) => {
      const runs = runsOf(contactId)
      const lastAt = Math.max(...runs.map(({ createdAt }) => createdAt.getTime()))
      return { hasSlot: runs.some(hasSlot), ...(runs.length > 0 && { lastAt }) }
    },
    countStarts: async ({ contactId, since, limit }) => {
      const isSince = ({ createdAt }: RunRecord): boolean => createdAt > since
      // The time of a play only rises: what is older is never asked for again.
      if (contactId === undefined) lately = lately.filter(isSince)
      return Math.min(limit, contactId === undefined ? lately.length : runsOf(contactId).filter(isSince).length)
    },
    isStartedBy: async (_flowId, ids) => ids.some((id) => eventIds.has(id)),
  }

  function add(run: RunRecord): void {
    ofContact.set(run.contactId, [...runsOf(run.contactId), run])
    lately.push(run)
    contacts.add(run.contactId)
    eventIds.add(run.startedBy.eventId)
  }

  /**
   * Two contacts become one: live runs of the other, and its place, go to the one that is kept.
   * Where that has a place already, the other's is lost.
   */
  function merge(contactId: string, otherId: string): void {
    const isTaken = runsOf(contactId).some(hasSlot)
    const moved = runsOf(otherId).filter((run) => run.live || hasSlot(run))
    ofContact.set(
      otherId,
      runsOf(otherId).filter((run) => !moved.includes(run)),
    )
    ofContact.set(contactId, [...runsOf(contactId), ...moved])
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
