import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ActorContext } from '@parley/service-kit/http/context'
import type { Person } from '../../../platform/person.ts'
import { createPersonCampaigns } from '../../campaigns/person-campaigns.ts'
import { type Mention, maxMentions, mentionKinds } from '../../contacts/jobs/job-inputs.ts'
import { createPersonSegments } from '../../contacts/segments/person-segments.ts'
import { createPersonViews } from '../../inbox/views/person-views.ts'

/**
 * Finds where members have written about a person, in names, search texts, conditions and values. That is theirs: it stays, and
 * is listed after an erasure.
 */
export function createMentions(connection: ServiceConnection) {
  const sources = sourcesOf(connection)
  return async (scope: WorkspaceScope, person: Person): Promise<Mention[]> => {
    const found: Mention[] = []
    for (const kind of mentionKinds)
      for await (const { id, texts } of sources[kind].typed(scope))
        if (found.length < maxMentions && mentions(texts, person)) found.push({ kind, id })
    return found
  }
}

/** Names of what is mentioned, by id; of another member's own view none, and nothing of what is gone. */
export function createMentionNames(connection: ServiceConnection) {
  const sources = sourcesOf(connection)
  return async (
    ctx: WorkspaceScope & Pick<ActorContext, 'actor'>,
    mentioned: readonly Mention[],
  ): Promise<Map<string, string | null>> => {
    const names = new Map<string, string | null>()
    for (const kind of mentionKinds) {
      const ids = mentioned.filter((one) => one.kind === kind).map(({ id }) => id)
      const found = ids.length > 0 ? await sources[kind].named(ctx, ids) : []
      for (const { id, name } of found) names.set(id, name)
    }
    return names
  }
}

const sourcesOf = (connection: ServiceConnection) => ({
  view: createPersonViews(connection),
  segment: createPersonSegments(connection),
  campaign: createPersonCampaigns(connection),
})

/** Returns whether a text in a value, at any depth, is about a person. */
function mentions(value: unknown, person: Person): boolean {
  if (Array.isArray(value)) return value.some((one) => mentions(one, person))
  if (typeof value === 'object' && value !== null) return mentions(Object.values(value), person)
  const { contactId, trace } = person
  return typeof value === 'string' && (value === contactId || trace.anything.test(value) || trace.inSearch(value))
}
