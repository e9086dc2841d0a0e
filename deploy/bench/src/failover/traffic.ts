import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { freePort } from '@parley/service-kit/testing/free-port'
import { z } from 'zod'
import { Refusal } from '../calls.ts'
import type { Rig } from '../messaging/rig.ts'
import { inboundText } from '../messaging/webhooks.ts'

/** Little enough for two cores with three members of MongoDB: what is late is so by the fault. */
const webhookEveryMs = 500
const answerEveryMs = 2000
/** WhatsApp and pages repeat what was not taken. */
const repeatMs = 250
const limitMs = 5000

/** One message on its way: times in epoch milliseconds, 0 while it has not come there. */
export interface Sent {
  readonly id: string
  readonly begunAt: number
  takenAt: number
}

const sendBodySchema = z.object({ biz_opaque_callback_data: z.string() })
const { response: sentSchema } = messagesApi.send

/** A receiver in the place of WhatsApp's API, which notes the first time at which each message came, and how often it came. */
export async function startReceiver(cleanUp: AsyncDisposableStack) {
  const received = new Map<string, { at: number; times: number }>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const { success, data } = sendBodySchema.safeParse(JSON.parse(Buffer.concat(chunks).toString() || '{}'))
      if (success) {
        const { at, times } = received.get(data.biz_opaque_callback_data) ?? { at: Date.now(), times: 0 }
        received.set(data.biz_opaque_callback_data, { at, times: times + 1 })
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: `wamid.${randomUUID()}` }] }))
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  cleanUp.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, received }
}

/** Customers who write and a member who answers, all the time; each message is repeated until it is taken. */
export function createTraffic(
  { hook, lines, person }: Rig,
  hookUrls: readonly string[],
  conversationIds: readonly string[],
) {
  const webhooks: Sent[] = []
  const answers: (Sent & { messageId: string })[] = []
  const stopping = new AbortController()

  async function customerWrites(turn: number): Promise<void> {
    const sent: Sent = { id: `wamid.${randomUUID()}`, begunAt: Date.now(), takenAt: 0 }
    webhooks.push(sent)
    const { headers, body } = inboundText(hook, {
      phoneNumberId: lines[0]?.phoneNumberId ?? '',
      from: `9196${String(turn % 200).padStart(8, '0')}`,
      wamid: sent.id,
      text: `message ${turn}`,
    })
    for (let attempt = turn; sent.takenAt === 0; attempt += 1) {
      const url = hookUrls[attempt % hookUrls.length] ?? hook.url
      const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(limitMs) }).catch(
        () => undefined,
      )
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.ok) sent.takenAt = Date.now()
      else await delay(repeatMs)
    }
  }

  async function memberAnswers(turn: number): Promise<void> {
    const sent = { id: randomUUID(), begunAt: Date.now(), takenAt: 0, messageId: '' }
    answers.push(sent)
    const path = messagesApi.send.path.replace(':id', conversationIds[turn % conversationIds.length] ?? '')
    const body = { content: { type: 'text', text: `answer ${turn}` }, clientId: sent.id }
    while (sent.takenAt === 0)
      try {
        sent.messageId = sentSchema.parse(await person.ask(messagesApi.send.method, path, body)).message.id
        sent.takenAt = Date.now()
      } catch (error) {
        const isPassing = error instanceof Refusal ? error.status >= 500 : error instanceof TypeError
        if (!isPassing) throw error
        await delay(repeatMs)
      }
  }

  const going: Promise<void>[] = []
  const failures: unknown[] = []
  async function repeatEvery(ms: number, work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      going.push(work(turn).catch((error: unknown) => void failures.push(error)))
      await delay(ms)
    }
  }
  const loops = [repeatEvery(webhookEveryMs, customerWrites), repeatEvery(answerEveryMs, memberAnswers)]
  /** Ends once everything that has begun is taken. @throws what no repetition mends. */
  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(loops)
    await Promise.all(going)
    if (failures.length > 0) throw failures[0]
  }
  return { webhooks, answers, stop }
}
