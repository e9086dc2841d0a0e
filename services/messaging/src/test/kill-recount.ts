import type { Connection, mongo } from 'mongoose'
import type { Mark } from './kill-load.ts'

/** A message as the simulator has accepted it. */
interface Accepted {
  readonly id: string
  readonly direction: string
  /** Our own id of the message. */
  readonly callbackData: string
  readonly content: { readonly body?: string }
}

/** Actions on a workspace from outside. */
interface Done {
  /** Webhooks that were answered 200. */
  readonly acknowledged: readonly string[]
  /** Messages that people's calls have answered. */
  readonly sent: readonly string[]
  readonly marks: ReadonlyMap<string, Mark>
  /** Messages of the number at the simulator. */
  readonly atSimulator: readonly Accepted[]
}

type Row = mongo.WithId<mongo.BSON.Document>

/** Returns what does not agree; empty where all was applied and sent once and every counter equals its recount. */
export async function disagreements(connection: Connection, done: Done): Promise<string[]> {
  const rows = (name: string, filter = {}) => connection.collection(name).find(filter).toArray()
  const [messages, conversations, usage] = [await rows('messages'), await rows('conversations'), await rows('usage')]
  const dead = await rows('rawEvents', { deadAt: { $exists: true } })
  const priced = messages.filter(({ pricing, statusAt }) => pricing && (statusAt?.delivered || statusAt?.read))
  return [
    ...wrongWebhooks(messages, done),
    ...wrongSends(messages, done),
    ...wrongCounts(messages, conversations, done),
    ...(usage.length === priced.length ? [] : [`${usage.length} usage rows for ${priced.length} delivered messages`]),
    ...dead.map(({ error }) => `dead: ${error}`),
  ]
}

function wrongWebhooks(messages: readonly Row[], { acknowledged }: Done): string[] {
  const byWamid = Map.groupBy(messages, ({ waMessageId }) => String(waMessageId))
  return acknowledged.flatMap((wamid) => {
    const times = byWamid.get(wamid)?.length ?? 0
    return times === 1 ? [] : [`${wamid} is there ${times} times`]
  })
}

/** Compares each send with each row, both ways. */
function wrongSends(messages: readonly Row[], { sent, atSimulator }: Done): string[] {
  const wrong: string[] = []
  const outbound = new Map(
    messages.flatMap((row) => (row['direction'] === 'outbound' ? [[String(row._id), row] as const] : [])),
  )
  for (const id of sent) if (!outbound.has(id)) wrong.push(`${id} was taken and is not there`)
  if (new Set(sent).size !== sent.length) wrong.push('two calls were answered with one message')
  const calls = Map.groupBy(
    atSimulator.filter(({ direction }) => direction === 'outbound'),
    ({ callbackData }) => callbackData,
  )
  for (const [id, messageCalls] of calls) {
    const row = outbound.get(id)
    if (messageCalls.length > 1) wrong.push(`${id} has left ${messageCalls.length} times`)
    if (!row) wrong.push(`${id} has left and is not there`)
    else if (messageCalls.some(({ content }) => content.body !== row['content'].text))
      wrong.push(`${id} has left as another text`)
  }
  for (const [id, { dispatch, waMessageId }] of outbound) {
    const [call] = calls.get(id) ?? []
    if (dispatch.state === 'accepted' && call?.id !== waMessageId)
      wrong.push(`${id} is accepted as ${waMessageId} and has left as ${call?.id}`)
    if (dispatch.state === 'failed' && call) wrong.push(`${id} is failed and has left`)
    if (!['accepted', 'failed', 'uncertain'].includes(dispatch.state)) wrong.push(`${id} is ${dispatch.state}`)
  }
  return wrong
}

function wrongCounts(messages: readonly Row[], conversations: readonly Row[], { marks }: Done): string[] {
  const wrong: string[] = []
  const byConversation = Map.groupBy(messages, ({ conversationId }) => String(conversationId))
  for (const { _id, messageCount, unreadCount, lastMessage } of conversations) {
    const conversationMessages = byConversation.get(String(_id)) ?? []
    const mark = marks.get(String(_id))
    const inbound = conversationMessages.filter(({ direction }) => direction === 'inbound').length
    // Conversations that were marked as read have no answers.
    const unread = mark ? mark.unread + conversationMessages.length - mark.messages : inbound
    const newest = Math.max(...conversationMessages.map(({ sentAt }) => sentAt.getTime()))
    if (messageCount !== conversationMessages.length)
      wrong.push(`${_id} counts ${messageCount} messages of ${conversationMessages.length}`)
    if (unreadCount !== unread) wrong.push(`${_id} counts ${unreadCount} unread of ${unread}`)
    if (lastMessage?.at.getTime() !== newest) wrong.push(`${_id} does not show its newest`)
  }
  return wrong
}
