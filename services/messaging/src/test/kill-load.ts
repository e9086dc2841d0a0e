import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { userContext } from '@parley/service-kit/http/context'
import type { Services } from '../services.ts'

/** Number of conversations with which the load never sends to one of them sooner than WhatsApp allows. */
const answeredCount = 150
/** Conversations that members open, and answer nothing in: what came after the last mark is all that is unread. */
const openedCount = 30
export const customers = Array.from(
  { length: answeredCount + openedCount },
  (_, index) => `9198200${String(index).padStart(5, '0')}`,
)

/** Counts of a conversation when it was last marked as read. */
export interface Mark {
  readonly unread: number
  readonly messages: number
}

interface SimulatedNumber {
  readonly phoneNumberId: string
  readonly accountId: string
  readonly appSecret: string
}

/** Customers who write and a business that reads and answers; each call is repeated until a process that lives accepts it. */
export function startLoad(options: {
  services: Services
  scope: WorkspaceScope
  hook: string
  simulatedNumber: SimulatedNumber
}) {
  const { services, scope, hook, simulatedNumber } = options
  const acknowledged: string[] = []
  const sent: string[] = []
  const marks = new Map<string, Mark>()
  let stopped = false
  const userId = 'a'.repeat(24)
  const claims = { sub: userId, wid: scope.workspaceId, role: 'owner' as const }
  const member = userContext({ ...claims, iss: 'parley-bff', aud: 'messaging', exp: 0 }, { requestId: 'kills' })

  async function write(): Promise<void> {
    for (let count = 0; !stopped; count += 1) {
      const wamid = `wamid.${randomUUID()}`
      const from = customers[count % customers.length] ?? ''
      const body = webhook(simulatedNumber, wamid, from)
      const signature = `sha256=${createHmac('sha256', simulatedNumber.appSecret).update(body).digest('hex')}`
      await untilTaken(async () => {
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
        const response = await fetch(hook, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        if (response.status !== 200) throw new Error(`ingest answered ${response.status}`)
        // Some come twice, as from the platform.
        if (count % 10 === 0) await fetch(hook, { method: 'POST', headers, body }).catch(() => undefined)
      })
      acknowledged.push(wamid)
      await wait(5)
    }
  }

  async function answer(conversationIds: readonly string[]): Promise<void> {
    const cause = { kind: 'member', id: 'a'.repeat(24) }
    for (let count = 0; !stopped; count += 1) {
      const id = conversationIds[count % conversationIds.length] ?? ''
      const request = { content: { type: 'text' as const, text: `Answer ${count}` }, clientId: randomUUID(), cause }
      await untilTaken(async () => sent.push((await services.outgoing.send(scope, id, request)).id))
      await wait(40)
    }
  }

  /** Opens conversations: all of it, or up to the message that a member has seen. */
  async function open(conversationIds: readonly string[]): Promise<void> {
    for (let count = 0; !stopped; count += 1) {
      const id = conversationIds[count % conversationIds.length] ?? ''
      for (let done = false; !done; ) {
        const marked = await mark(id, count).catch(() => undefined)
        if (marked) marks.set(id, marked)
        // A mark whose answer was lost is repeated, also after the end: what it left unread could not be known.
        done = marked !== undefined
        await wait(done ? 30 : 100)
      }
    }
  }

  async function mark(id: string, count: number): Promise<Mark> {
    const newest = (await services.thread.read(scope, id, { limit: 1 })).items.at(-1)
    const read = count % 3 === 0 || !newest ? true : { upTo: newest.id }
    const { unreadCount: unread, history } = await services.changes.update(member, id, { read })
    return { unread, messages: history.messages }
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
  let working: Promise<unknown> = Promise.resolve()
  return {
    acknowledged,
    sent,
    marks,
    /** @param conversationIds by customer. */
    workIn: (conversationIds: ReadonlyMap<string, string>) => {
      const ids = customers.flatMap((phone) => conversationIds.get(phone) ?? [])
      working = Promise.all([answer(ids.slice(0, answeredCount)), open(ids.slice(answeredCount))])
    },
    stop: async () => {
      stopped = true
      await Promise.all([writing, working])
    },
  }
}

function webhook({ phoneNumberId, accountId }: SimulatedNumber, wamid: string, from: string): string {
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
