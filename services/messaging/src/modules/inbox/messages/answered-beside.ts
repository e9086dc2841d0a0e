import { isTimeLimit } from '@parley/service-kit/data/mongo'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type MessageRecord, storedId } from './messages.model.ts'

const minuteMs = 60_000
const maxMs = 2000

/** Condition that WhatsApp has accepted a message. */
const answered = { $or: [{ 'dispatch.state': 'accepted' }, { status: { $in: ['sent', 'delivered', 'read'] } }] }

const minuteOf = (at: Date): number => Math.floor(at.getTime() / minuteMs)
const within = (minute: number) => ({ $gte: new Date(minute * minuteMs), $lt: new Date((minute + 1) * minuteMs) })

/** Finds out whether WhatsApp answered other messages that left beside unanswered ones. */
export function createAnsweredBeside(messages: (scope: WorkspaceScope) => ScopedCollection<MessageRecord>) {
  /**
   * One query, which reads of each minute up to the first message that was answered.
   * @returns says of one of these messages whether others were answered that left from its number in the same minute; undefined
   * where that would take too long to find out.
   */
  async function answeredBeside(scope: WorkspaceScope, unanswered: readonly MessageRecord[]) {
    const minutes = new Map(unanswered.flatMap((message) => (message.dispatch ? [[keyOf(message), message]] : [])))
    const [first, ...rest] = [...minutes].map(([key, { numberId, sentAt, dispatch }]) => [
      {
        $match: {
          numberId: storedId(numberId),
          direction: 'outbound',
          sentAt: within(minuteOf(sentAt)),
          // A message that had to wait, unlike others of its minute, left later than these.
          'dispatch.notBefore': within(minuteOf(dispatch?.notBefore ?? sentAt)),
          ...answered,
        },
      },
      { $limit: 1 },
      { $project: { _id: 0, key: { $literal: key } } },
    ])
    if (!first) return () => undefined
    const others = rest.map((pipeline) => ({ $unionWith: { coll: 'messages', pipeline } }))
    const options = { hint: 'sent-by-number', maxTimeMS: maxMs }
    const found = await messages(scope)
      .aggregate<{ key: string }>([...first, ...others], options)
      .catch((error: unknown) => {
        if (isTimeLimit(error)) return null
        throw error
      })
    const keys = found && new Set(found.map(({ key }) => key))
    return (message: MessageRecord): boolean | undefined => (message.dispatch ? keys?.has(keyOf(message)) : undefined)
  }

  return { answeredBeside }
}

const keyOf = ({ numberId, sentAt, dispatch }: MessageRecord): string =>
  `${numberId} ${minuteOf(sentAt)} ${minuteOf(dispatch?.notBefore ?? sentAt)}`
