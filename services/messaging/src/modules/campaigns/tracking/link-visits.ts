import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { inSession } from '@parley/service-kit/data/session'
import type { Queues } from '@parley/service-kit/queue/queues'
import { z } from 'zod'
import type { IngestMetrics } from '../../../platform/ingest-metrics.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { createLinkTokens, type LinkReference } from '../../outbound/link-tokens.ts'
import { linksOf, linkTarget } from '../../templates/link-target.ts'
import { blockOf } from '../recipients/recipients.model.ts'
import { createRecountHints } from '../run/recount-hints.ts'
import { createLinkClicksRepository } from './link-clicks.repository.ts'

/** Visits that wait to be stored; further ones, while the database is slow, are only logged. */
const maxPending = 1000
const storedLinksSchema = z.array(z.object({ index: z.number(), url: z.string() })).catch([])

/** A link of ours that leads somewhere. */
interface OpenLink extends LinkReference {
  readonly url: string
  /** True where a campaign sent it and the message still exists: its visits are counted. */
  readonly counted: boolean
}

export type LinkVisits = ReturnType<typeof createLinkVisits>

/** Resolves where the counted links of messages lead, and records which recipients of campaigns have opened theirs. */
export function createLinkVisits({
  mongo,
  keys,
  queues,
  readMessage,
  countVisit,
  logger,
}: {
  mongo: ServiceConnection
  keys: readonly NamedKey[]
  queues: Pick<Queues, 'jobs'>
  readMessage: (scope: WorkspaceScope, id: string) => Promise<MessageRecord | null>
  countVisit: IngestMetrics['countVisit']
  logger: Logger
}) {
  const tokens = createLinkTokens(keys)
  const clicks = createLinkClicksRepository(mongo)
  const hintRecount = createRecountHints(queues.jobs('campaign-counts').add)
  const pending = new Set<Promise<void>>()

  /** @returns `undefined` for a token that is not ours, or whose message led nowhere. */
  async function find(token: string): Promise<OpenLink | undefined> {
    const reference = tokens.read(token)
    if (!reference) return undefined
    const message = await readMessage(reference, reference.messageId)
    const links = message ? storedLinksSchema.parse(message.content['links']) : await linksOfErased(reference)
    const url = links.find(({ index }) => index === reference.index)?.url ?? ''
    // The stored address is parsed once more: nothing but a web address leaves.
    const target = linkTarget(url, {})
    return target === '' ? undefined : { ...reference, url: target, counted: message?.cause.kind === 'campaign' }
  }

  /** Keeps the address without the person's part: the message is erased with the person, but the campaign still has the address. */
  async function linksOfErased(reference: LinkReference) {
    const campaign = await clicks.campaignOf(reference, reference.messageId)
    return campaign ? linksOf(campaign.template, {}) : []
  }

  /** Counts a visit later, so that opening a link does not wait for it. One that cannot be stored is logged. */
  async function note(link: OpenLink, at = new Date()): Promise<void> {
    if (!link.counted) return
    const { workspaceId, messageId } = link
    const lost = (error: unknown) => {
      countVisit('lost')
      logger.error({ err: error, workspaceId, messageId }, 'a visit of a link was not counted')
    }
    if (pending.size >= maxPending) {
      lost(new Error('too many visits wait to be stored'))
      return
    }
    const writing: Promise<void> = store(link, at)
      .catch(lost)
      .finally(() => pending.delete(writing))
    pending.add(writing)
    await writing
  }

  async function store({ workspaceId, messageId, index }: OpenLink, at: Date): Promise<void> {
    const scope = { workspaceId }
    try {
      const row = await inSession(mongo, async (session) => {
        // The row of a recipient who was erased meanwhile is not found.
        const visited = await clicks.recordVisit(scope, messageId, at, { session })
        if (visited) await clicks.note(scope, { campaignId: visited.campaignId, messageId, index }, at, { session })
        return visited
      })
      if (row) hintRecount(scope, row.campaignId, blockOf(row.n))
    } catch (error) {
      // It repeats the last visit.
      if (!isDuplicateKey(error)) throw error
    }
  }

  /** Resolves once every visit so far is stored or logged. */
  async function settled(): Promise<void> {
    await Promise.all(pending)
  }

  /** Returns the workspace that a token of ours names. */
  const workspaceOf = (token: string): string | undefined => tokens.read(token)?.workspaceId

  return { find, note, settled, workspaceOf }
}
