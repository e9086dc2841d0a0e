import type { NewEvent } from '@parley/contracts/platform/events'

/** The cause of an event: a person, or the system where there is none. */
export const actorOf = (userId: string | null | undefined): NewEvent['by'] =>
  userId === null || userId === undefined ? { kind: 'system' } : { kind: 'user', id: userId }
