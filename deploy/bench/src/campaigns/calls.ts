import { randomUUID } from 'node:crypto'
import { campaignDraftsApi, campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { type CampaignAction, campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { z } from 'zod'
import { type Ask, Refusal } from '../calls.ts'
import { until } from '../program.ts'

const madeSchema = z.object({ id: z.string(), version: z.number() })

export type Calls = ReturnType<typeof createCalls>

/**
 * Creates the bench's calls, which ask as a page would.
 * @throws where an answer is not the expected one.
 */
export function createCalls({ ask }: { ask: Ask }, from: { numberId: string; templateId: string }) {
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
      const isLaunched = async () => {
        const review = campaignReviewSchema.parse(
          await ask('GET', campaignDraftsApi.readReview.path.replace(':id', id)),
        )
        if (review.state === 'failed') throw new Error(review.failure)
        if (review.state !== 'ready') return false
        const accepted = review.warnings.map(({ code }) => code)
        await ask('POST', campaignDraftsApi.launch.path.replace(':id', id), { preflightId: review.id, accepted })
        return true
      }
      await until('a campaign is launched', isLaunched, { everyMs: 100, limitMs: 600_000 })
    },
    /** Changes a campaign, again where it was refused, as a person would. */
    change: async (id: string, action: CampaignAction): Promise<void> => {
      const isTaken = async () => {
        try {
          await ask('POST', campaignsApi.change.path.replace(':id', id), { action })
          return true
        } catch (error) {
          if (error instanceof Refusal && error.status === 503) return false
          throw error
        }
      }
      await until(`${action} is taken`, isTaken, { everyMs: 0 })
    },
    send: async (conversationId: string): Promise<string> => {
      const content = { type: 'text', text: 'It leaves today.' }
      const body = { content, clientId: randomUUID() }
      const made = await ask('POST', messagesApi.send.path.replace(':id', conversationId), body)
      return z.object({ message: z.object({ id: z.string() }) }).parse(made).message.id
    },
  }
}
