import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { conversationKeys } from '../../lib/query-keys.ts'
import { readMessage } from './api.ts'
import { receiveConversation } from './cache.ts'
import { alertOf } from './list/alerts.ts'
import { conversationRecords } from './records.ts'
import { changeLiveThread, forgetThread, knownMessage, newestKnown, putNews } from './thread/live-thread.ts'

type ChangedMessage = Extract<RecordedEvent, { type: 'message.changed' }>['data']

/** Applies the server's events of conversations and messages. Reads that follow from it continue beside the next events. */
export function receive(client: QueryClient, event: RecordedEvent): void {
  if (event.type === 'conversation.changed') {
    const { conversation } = event.data
    const before = conversationRecords.newest(client, conversation.id)
    receiveConversation(client, conversation)
    if (conversation.unreadCount > (before?.unreadCount ?? 0)) alertOf(conversation)
  }
  if (event.type === 'message.changed') receiveMessage(client, event.data, event.version)
}

function receiveMessage(client: QueryClient, changed: ChangedMessage, version?: number): void {
  const { conversationId, messageId, status } = changed
  if (changed.direction === 'note')
    void client.invalidateQueries({ queryKey: conversationKeys.history(conversationId) })
  const threads = client.getQueryCache().findAll({ queryKey: conversationKeys.messages(conversationId) })
  if (threads.length === 0) return
  if (!threads.some((thread) => thread.isActive())) {
    forgetThread(client, conversationId)
    return
  }
  if (changed.created && changed.direction === 'inbound')
    changeLiveThread(client, conversationId, (thread) => ({ ...thread, arrived: messageId }))
  const known = knownMessage(client, conversationId, messageId)
  if (!known) void readNews(client, changed).catch(() => readLater(client, conversationId))
  else if (version !== undefined && version <= (known.version ?? 0)) return
  else if (status && isFurther(status, known))
    putNews(client, conversationId, [{ ...known, status, ...(version !== undefined && { version }) }])
  else void readAgain(client, changed).catch(() => readLater(client, conversationId))
}

const ladder = ['queued', 'sent', 'delivered', 'read'] as const

/** A failed message needs its reason, and an uncertain one is resolved: an event carries neither. */
const isFurther = (status: NonNullable<Message['status']>, { status: shown, dispatch }: Message): boolean =>
  status !== 'failed' &&
  shown !== 'failed' &&
  dispatch !== 'uncertain' &&
  ladder.indexOf(status) > ladder.indexOf(shown ?? 'queued')

/** Threads whose news are being read: true once there is more to read. */
const reading = new Map<string, boolean>()
const pageSize = 100
const maxTries = 3

/** Reads messages after the newest one, however many events have announced them meanwhile. */
async function readNews(client: QueryClient, changed: ChangedMessage): Promise<void> {
  const { conversationId } = changed
  if (reading.has(conversationId)) {
    reading.set(conversationId, true)
    return
  }
  try {
    do {
      reading.set(conversationId, false)
      await readAfterNewest(client, conversationId)
    } while (reading.get(conversationId))
  } finally {
    reading.delete(conversationId)
  }
  // WhatsApp's clock may have put it before others that came earlier.
  if (!knownMessage(client, conversationId, changed.messageId)) await readAgain(client, changed)
}

async function readAfterNewest(client: QueryClient, id: string): Promise<void> {
  // A thread that is being read for the first time may have been answered before the message came.
  await client.getQueryCache().find({ queryKey: conversationKeys.messages(id) })?.promise
  for (;;) {
    const after = newestKnown(client, id)?.id
    if (after === undefined) return client.invalidateQueries({ queryKey: conversationKeys.messages(id) })
    const { items } = await call(messagesApi.list, { params: { id }, query: { after, limit: pageSize } })
    putNews(client, id, items)
    if (items.length < pageSize) return
  }
}

async function readAgain(client: QueryClient, { conversationId, messageId }: ChangedMessage): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const message = await readMessage(conversationId, messageId)
    if (message) putNews(client, conversationId, [message])
    // A tick that came meanwhile has a higher version, but not what was read for.
    const shown = knownMessage(client, conversationId, messageId)
    if ((shown?.version ?? 0) <= (message?.version ?? 0)) return
  }
}

/** Rereads the whole thread, as soon as possible, after a failed read. */
const readLater = (client: QueryClient, id: string) =>
  client.invalidateQueries({ queryKey: conversationKeys.messages(id) })
