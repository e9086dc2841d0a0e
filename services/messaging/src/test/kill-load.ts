import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Connection } from 'mongoose'
import type { Services } from '../services.ts'

const customers = Array.from({ length: 30 }, (_, index) => `9198200${String(index).padStart(5, '0')}`)
/** A customer gets fewer messages than may be sent to them at once. */
const sendsOfEach = 8

interface Place {
  readonly phoneNumberId: string
  readonly accountId: string
  readonly appSecret: string
}

/** Customers who write and a business that answers, through whatever dies meanwhile: each call is repeated until it is taken. */
export function startLoad(options: { services: Services; scope: WorkspaceScope; hook: string; place: Place }) {
  const { services, scope, hook, place } = options
  const acknowledged: string[] = []
  const sent: string[] = []
  let stopped = false

  async function write(): Promise<void> {
    for (let count = 0; !stopped; count += 1) {
      const wamid = `wamid.${randomUUID()}`
      const from = customers[count % customers.length] ?? ''
      const body = webhook(place, wamid, from)
      const signature = `sha256=${createHmac('sha256', place.appSecret).update(body).digest('hex')}`
      await untilTaken(async () => {
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
        const response = await fetch(hook, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        if (response.status !== 200) throw new Error(`ingest answered ${response.status}`)
        // As the platform does: some come twice.
        if (count % 10 === 0) await fetch(hook, { method: 'POST', headers, body }).catch(() => undefined)
      })
      acknowledged.push(wamid)
      await wait(5)
    }
  }

  async function answer(conversationIds: readonly string[]): Promise<void> {
    const cause = { kind: 'member', id: 'a'.repeat(24) }
    for (let count = 0; !stopped && count < conversationIds.length * sendsOfEach; count += 1) {
      const id = conversationIds[count % conversationIds.length] ?? ''
      const request = { content: { type: 'text' as const, text: `Answer ${count}` }, clientId: randomUUID(), cause }
      await untilTaken(async () => sent.push((await services.outgoing.send(scope, id, request)).id))
      await wait(20)
    }
  }

  async function untilTaken(attempt: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const done = await attempt().then(
        () => true,
        () => false,
      )
      if (done || stopped) return
      await wait(100)
    }
  }

  const writing = Promise.all([write(), write()])
  let answering: Promise<unknown> = Promise.resolve()
  return {
    acknowledged,
    sent,
    answerIn: (conversationIds: readonly string[]) => {
      answering = answer(conversationIds)
    },
    stop: async () => {
      stopped = true
      await Promise.all([writing, answering])
    },
  }
}

function webhook({ phoneNumberId, accountId }: Place, wamid: string, from: string): string {
  const message = {
    id: wamid,
    from,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: 'Hi' },
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '1', phone_number_id: phoneNumberId },
    contacts: [{ wa_id: from, profile: { name: 'Asha' } }],
    messages: [message],
  }
  const entry = [{ id: accountId, changes: [{ field: 'messages', value }] }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
}

/** What does not agree in the database; empty where everything was applied once and every counter equals its recount. */
export async function disagreements(connection: Connection, acknowledged: readonly string[]): Promise<string[]> {
  const rows = (name: string, filter = {}) => connection.collection(name).find(filter).toArray()
  const [messages, conversations, usage] = [await rows('messages'), await rows('conversations'), await rows('usage')]
  const wrong: string[] = []
  const byWamid = Map.groupBy(messages, ({ waMessageId }) => String(waMessageId))
  for (const wamid of acknowledged)
    if (byWamid.get(wamid)?.length !== 1) wrong.push(`${wamid} is there ${byWamid.get(wamid)?.length ?? 0} times`)
  for (const conversation of conversations) {
    const own = messages.filter(({ conversationId }) => String(conversationId) === String(conversation._id))
    const unread = own.filter(({ direction }) => direction === 'inbound').length
    const newest = Math.max(...own.map(({ sentAt }) => sentAt.getTime()))
    if (conversation['messageCount'] !== own.length)
      wrong.push(`${conversation._id} counts ${conversation['messageCount']} messages of ${own.length}`)
    if (conversation['unreadCount'] !== unread)
      wrong.push(`${conversation._id} counts ${conversation['unreadCount']} unread of ${unread}`)
    if (conversation['lastMessage']?.at.getTime() !== newest) wrong.push(`${conversation._id} does not show its newest`)
  }
  const priced = messages.filter(({ pricing, statusAt }) => pricing && (statusAt?.delivered || statusAt?.read))
  if (usage.length !== priced.length) wrong.push(`${usage.length} usage rows for ${priced.length} delivered messages`)
  const settled = new Set(['accepted', 'failed', 'uncertain'])
  for (const { dispatch, direction, _id } of messages)
    if (direction === 'outbound' && !settled.has(dispatch?.state)) wrong.push(`${_id} is ${dispatch?.state}`)
  for (const { error } of await rows('rawEvents', { deadAt: { $exists: true } })) wrong.push(`dead: ${error}`)
  return wrong
}
