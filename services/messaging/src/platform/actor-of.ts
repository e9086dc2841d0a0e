import type { NewEvent } from '@parley/contracts/platform/events'
import type { ActorContext } from '@parley/service-kit/http/context'

/** The cause of an event: a person, or the system where there is none. */
export const actorOf = (userId: string | null | undefined): NewEvent['by'] =>
  userId === null || userId === undefined ? { kind: 'system' } : { kind: 'user', id: userId }

/** Returns the cause of a caller's message. */
export const messageCauseOf = ({ actor: { kind, id } }: Pick<ActorContext, 'actor'>) =>
  ({ kind: kind === 'user' ? 'member' : 'api', id }) as const
