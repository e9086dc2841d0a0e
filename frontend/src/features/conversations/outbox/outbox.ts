import type { Conversation } from '@parley/contracts/inbox/conversations'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiError, call } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { pauseForNetwork } from '../../../lib/pause.ts'
import { conversationKeys } from '../../../lib/query-keys.ts'
import { readSessionValue, writeSessionValue } from '../../../lib/session-storage.ts'
import { receiveConversation } from '../cache.ts'
import { type Draft, type Waiting, waitingSchema } from '../list/waiting.ts'
import { changeLiveThread, type LiveThread, liveThread, putNews } from '../thread/live-thread.ts'

const keptName = 'outbox'
const keptSchema = z.array(waitingSchema).max(200)
const firstPauseMs = 1000
const maxPauseMs = 30_000
/** Tries after which a server error counts as permanent. */
const maxTries = 3

/** Conversations whose messages are being sent, one after the other. */
const running = new WeakMap<QueryClient, Set<string>>()

/**
 * Sends: the message waits in the thread at once and becomes the server's. Without an answer it is tried again under the same
 * client id, so that it is sent once; a refusal stays at the message, with what can be done. It outlives a reload.
 */
export function post(client: QueryClient, { conversationId, request, shown }: Draft): void {
  const at = new Date().toISOString()
  const waiting: Waiting = { clientId: crypto.randomUUID(), conversationId, request, shown, at, state: 'sending' }
  changeWaiting(client, conversationId, (others) => [...others, waiting])
  void sendAll(client, conversationId)
}

/** Tries a message once more that was refused. */
export function postAgain(client: QueryClient, { conversationId, clientId }: Waiting): void {
  patchWaiting(client, conversationId, clientId, { state: 'sending', problem: undefined })
  void sendAll(client, conversationId)
}

/** Takes a message back that the server has not taken. */
export const discard = (client: QueryClient, { conversationId, clientId }: Waiting): void =>
  changeWaiting(client, conversationId, (all) => all.filter((waiting) => waiting.clientId !== clientId))

const restored = new WeakSet<QueryClient>()

/** Goes on with what was not sent yet when the page was loaded again. */
export function restoreOutbox(client: QueryClient): void {
  if (restored.has(client)) return
  restored.add(client)
  for (const waiting of readSessionValue(keptName, keptSchema) ?? []) {
    changeWaiting(client, waiting.conversationId, (others) => [...others, waiting])
    void sendAll(client, waiting.conversationId)
  }
}

function changeWaiting(
  client: QueryClient,
  conversationId: string,
  change: (waiting: LiveThread['waiting']) => LiveThread['waiting'],
): void {
  changeLiveThread(client, conversationId, (thread) => ({ ...thread, waiting: change(thread.waiting) }))
  keepWaiting(client)
}

function keepWaiting(client: QueryClient): void {
  const threads = client.getQueriesData<LiveThread>({ queryKey: conversationKeys.lives })
  const waiting = threads.flatMap(([, thread]) => thread?.waiting ?? [])
  writeSessionValue(keptName, waiting.length === 0 ? undefined : waiting)
}

const patchWaiting = (client: QueryClient, conversationId: string, clientId: string, patch: Partial<Waiting>): void =>
  changeWaiting(client, conversationId, (all) =>
    all.map((waiting) => (waiting.clientId === clientId ? { ...waiting, ...patch } : waiting)),
  )

async function sendAll(client: QueryClient, conversationId: string): Promise<void> {
  const busy = running.get(client) ?? new Set()
  running.set(client, busy)
  if (busy.has(conversationId)) return
  busy.add(conversationId)
  try {
    for (;;) {
      const next = liveThread(client, conversationId).waiting.find(({ state }) => state !== 'failed')
      if (!next) return
      await sendOne(client, next)
    }
  } finally {
    busy.delete(conversationId)
  }
}

/** @returns once the server has taken or refused it, or the person has taken it back. */
async function sendOne(client: QueryClient, { conversationId, clientId }: Waiting): Promise<void> {
  // A retry by a person is a new wish: a refusal that the server remembers does not answer it.
  const idempotencyKey = crypto.randomUUID()
  for (let tries = 0; ; tries += 1) {
    const waiting = liveThread(client, conversationId).waiting.find((other) => other.clientId === clientId)
    if (!waiting) return
    try {
      const { message, conversation } = await send(waiting, idempotencyKey)
      putNews(client, conversationId, [{ ...message, clientId }])
      keepWaiting(client)
      receiveConversation(client, conversation)
      return
    } catch (error) {
      if (!isUnanswered(error) || (isDefect(error) && tries >= maxTries)) {
        patchWaiting(client, conversationId, clientId, { state: 'failed', problem: explain(error, notSent) })
        return
      }
      patchWaiting(client, conversationId, clientId, { state: 'offline' })
      await pauseForNetwork(Math.min(maxPauseMs, firstPauseMs * 2 ** tries))
    }
  }
}

const notSent = 'The message could not be sent.'

function send(
  { conversationId, clientId, request }: Waiting,
  idempotencyKey: string,
): Promise<{ message: Message; conversation: Conversation }> {
  const params = { id: conversationId }
  switch (request.kind) {
    case 'message': {
      const { content, replyTo, sendAt } = request
      return call(messagesApi.send, { params, body: { content, clientId, replyTo, sendAt }, idempotencyKey })
    }
    case 'template': {
      const { templateId, values } = request
      return call(messagesApi.sendTemplate, { params, body: { templateId, values, clientId }, idempotencyKey })
    }
    case 'note': {
      const { text, file, mentions } = request
      return call(messagesApi.note, { params, body: { text, file, clientId, mentions }, idempotencyKey })
    }
  }
}

/** True where there was no answer, or one that does not tell whether the message was accepted. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.status === 429 || error.body.code === 'request_in_progress'
    : error instanceof TypeError || error instanceof DOMException

const isDefect = (error: unknown): boolean => error instanceof ApiError && error.status === 500
