import type { Message, MessageContent } from '@parley/contracts/inbox/messages'

type Activity = NonNullable<Extract<MessageContent, { type: 'system' }>['activity']>

interface Words {
  /** Name of the member who did it; `You` for the reader. */
  readonly actor: string | undefined
  /** Returns the name of a member, in the same way. */
  readonly who: (userId: string | undefined) => string | undefined
  /** A time in words. */
  readonly timeOf: (iso: string) => string
}

const actors: Partial<Record<Message['cause']['kind'], string>> = {
  system: 'Automatic assignment',
  bot: 'A bot',
  workflow: 'A workflow',
}

/** Returns who did something in a conversation. @param nameOf a member's name. */
export const actorOf = <T>({ kind, id }: Message['cause'], nameOf: (userId: string) => T): T | string | undefined =>
  kind === 'member' ? nameOf(id) : actors[kind]

/** Returns an action on a conversation as a sentence without its full stop. */
export function activityLabels({ kind, member, until }: Activity, { actor, who, timeOf }: Words): string {
  const by = actor ?? 'Somebody'
  switch (kind) {
    case 'assigned': {
      const to = who(member)
      if (member === undefined) return `${by} handed this conversation to a bot`
      return to === actor
        ? `${by} took this conversation`
        : `${by} assigned this conversation to ${to === 'You' ? 'you' : to}`
    }
    case 'unassigned':
      return `${by} unassigned this conversation`
    case 'closed':
      return `${by} closed this conversation`
    case 'reopened':
      return actor ? `${by} opened this conversation again` : 'This conversation was opened again'
    case 'snoozed':
      return until
        ? `${by} snoozed this conversation until ${timeOf(until)}`
        : `${by} snoozed this conversation until the customer writes`
    case 'woken':
      return 'The snooze on this conversation ended'
  }
}
