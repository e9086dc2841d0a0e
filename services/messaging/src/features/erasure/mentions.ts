import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'
import { campaignSchema } from '../campaigns/campaigns.model.ts'
import type { AnyRecord } from '../campaigns/drafts/drafts.model.ts'
import { type SegmentRecord, segmentSchema } from '../contacts/segments/segments.model.ts'
import { type ViewRecord, viewSchema } from '../views/views.model.ts'
import type { Person } from './person.ts'

const maxMentions = 100

/** Records by their ids alone: their names may tell of whom. */
export const mentionsSchema = z
  .array(z.object({ kind: z.enum(['view', 'segment', 'campaign']), id: z.string() }))
  .max(maxMentions)
export type Mention = z.infer<typeof mentionsSchema>[number]

/**
 * Finds where members have written of somebody, in names, search texts, conditions and values. That is theirs: it stays, and is
 * listed after an erasure.
 */
export function createMentions(connection: ServiceConnection) {
  const { views, segments, campaigns } = collectionsOf(connection)
  return async (scope: WorkspaceScope, person: Person): Promise<Mention[]> => {
    const found: Mention[] = []
    const add = (kind: Mention['kind'], { id }: { readonly id: string }, texts: unknown) => {
      if (found.length < maxMentions && mentions(texts, person)) found.push({ kind, id })
    }
    for await (const view of views(scope).find({}).hint('name')) add('view', view, [view.name, view.query])
    for await (const segment of segments(scope).find({}).hint('name'))
      add('segment', segment, [segment.name, segment.filter])
    for await (const campaign of campaigns(scope)
      .find({ status: { $ne: 'removed' } })
      .hint('latest')) {
      const { name, variables, audienceName, status } = campaign
      // Whom a launched one was sent to stays its own.
      add('campaign', campaign, [name, variables, audienceName, status === 'draft' && campaign.audience])
    }
    return found
  }
}

/** Names of what is mentioned, by id; of another member's own view none, and nothing of what is gone. */
export function createMentionNames(connection: ServiceConnection) {
  const { views, segments, campaigns } = collectionsOf(connection)
  return async (
    ctx: WorkspaceScope & { readonly userId: string },
    mentioned: readonly Mention[],
  ): Promise<Map<string, string | null>> => {
    const idsOf = (kind: Mention['kind']) => ({
      _id: { $in: mentioned.filter((one) => one.kind === kind).map(({ id }) => id) },
    })
    const found = await Promise.all([
      views(ctx).find(idsOf('view')),
      segments(ctx).find(idsOf('segment')),
      campaigns(ctx).find(idsOf('campaign')),
    ])
    const isOthers = (record: object) => 'ownerId' in record && record.ownerId !== null && record.ownerId !== ctx.userId
    return new Map(found.flat().map((record) => [record.id, isOthers(record) ? null : record.name]))
  }
}

const collectionsOf = (connection: ServiceConnection) => ({
  views: workspaceCollection<ViewRecord>({ connection, name: 'views', schema: viewSchema }),
  segments: workspaceCollection<SegmentRecord>({ connection, name: 'segments', schema: segmentSchema }),
  campaigns: workspaceCollection<AnyRecord>({ connection, name: 'campaigns', schema: campaignSchema }),
})

/** Whether a text in it, at any depth, is about somebody. */
function mentions(value: unknown, person: Person): boolean {
  if (Array.isArray(value)) return value.some((one) => mentions(one, person))
  if (typeof value === 'object' && value !== null) return mentions(Object.values(value), person)
  const { contactId, trace } = person
  return typeof value === 'string' && (value === contactId || trace.anything.test(value) || trace.inSearch(value))
}
