import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { campaignDraftsApi, campaignReviewSchema } from '@parley/contracts/campaign-drafts'
import { type CampaignAction, campaignsApi } from '@parley/contracts/campaigns'
import { messagesApi } from '@parley/contracts/message-endpoints'
import { z } from 'zod'
import type { Rig } from '../messaging/rig.ts'

const lookEveryMs = 100
const madeSchema = z.object({ id: z.string(), version: z.number() })

export type Calls = ReturnType<typeof createCalls>

/** What the bench asks for as a page would. @throws where an answer is not the expected one. */
export function createCalls({ origin, headers, ask }: Rig['person'], from: { numberId: string; templateId: string }) {
  return {
    get: (path: string) => ask('GET', path),
    /** Writes a draft, whose review writes its audience down. */
    startReview: async (tag: string): Promise<string> => {
      const audience = { kind: 'tags', tags: [tag] }
      const variables = { 1: { kind: 'field', field: 'firstName', fallback: 'there' } }
      const fields = { name: `To ${tag}`, audience, variables, ...from }
      const { id, version } = madeSchema.parse(await ask('POST', campaignDraftsApi.create.path, fields))
      await ask('POST', campaignDraftsApi.startReview.path.replace(':id', id), { version })
      return id
    },
    /** Launches a draft once its review is ready. */
    launch: async (id: string): Promise<void> => {
      const reviewPath = campaignDraftsApi.readReview.path.replace(':id', id)
      for (;;) {
        const review = campaignReviewSchema.parse(await ask('GET', reviewPath))
        if (review.state === 'failed') throw new Error(review.failure)
        const accepted = review.warnings.map(({ code }) => code)
        if (review.state === 'ready') {
          await ask('POST', campaignDraftsApi.launch.path.replace(':id', id), { preflightId: review.id, accepted })
          return
        }
        await delay(lookEveryMs)
      }
    },
    /** As a person who presses again where it was not taken. */
    change: async (id: string, action: CampaignAction): Promise<void> => {
      const path = campaignsApi.change.path.replace(':id', id)
      for (;;) {
        const answer = await fetch(`${origin}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ action }),
        })
        if (answer.ok) return
        if (answer.status !== 503) throw new Error(`${action} answered ${answer.status}: ${await answer.text()}`)
      }
    },
    send: async (conversationId: string): Promise<string> => {
      const content = { type: 'text', text: 'It leaves today.' }
      const made = await ask('POST', messagesApi.send.path.replace(':id', conversationId), {
        ...{ content, clientId: randomUUID() },
      })
      return z.object({ message: z.object({ id: z.string() }) }).parse(made).message.id
    },
  }
}
