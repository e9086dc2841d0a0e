import type { Audience, Missed } from '@parley/contracts/campaigns/campaign-fields'
import type { FailureClass } from '@parley/contracts/campaigns/failure-classes'
import { tagsLabels, withoutLabels } from '@parley/rules/audience-labels'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MissedAudience } from '../audience/retarget-audience.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'

const maxLength = 200

type NamesOf = (scope: WorkspaceScope, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
/** Sources of the names. */
interface AudienceSources {
  readonly segments: { readonly namesOf: NamesOf }
  readonly campaigns: Pick<CampaignsRepository, 'readMany'>
  readonly importPeople: { readonly fileNames: NamesOf }
}

export type AudienceNames = ReturnType<typeof createAudienceNames>

/** Names audiences by the current names of what they consist of: three reads for all of them. */
export function createAudienceNames({ segments: known, campaigns: records, importPeople }: AudienceSources) {
  /** @returns says of one of the audiences what it is called; undefined where what it is chosen by is gone. */
  return async (scope: WorkspaceScope, audiences: readonly Audience[]) => {
    const named = async (namesOf: NamesOf, ids: readonly string[]) =>
      ids.length > 0 ? namesOf(scope, ids) : new Map<string, string>()
    const [segments, campaigns, imports] = await Promise.all([
      named(known.namesOf, audiences.flatMap(segmentsIn)),
      named(
        async (of, ids) => new Map((await records.readMany(of, ids)).map(({ id, name }) => [id, name])),
        audiences.flatMap((audience) => (audience.kind === 'campaign' ? [audience.campaignId] : [])),
      ),
      named(
        importPeople.fileNames,
        audiences.flatMap((audience) => (audience.kind === 'import' ? [audience.importId] : [])),
      ),
    ])

    function chosenName(audience: Audience): string | undefined {
      if (audience.kind === 'tags') return tagsLabels(audience)
      if (audience.kind === 'contacts') return nameOfContacts(audience.contactIds.length)
      if (audience.kind === 'segment') return prefixed('Segment', segments.get(audience.segmentId))
      if (audience.kind === 'import') return prefixed('Import of', imports.get(audience.importId))
      const earlier = campaigns.get(audience.campaignId)
      return earlier === undefined ? undefined : nameOfMissed(earlier, audience)
    }

    return (audience: Audience): string | undefined => {
      const chosen = chosenName(audience)
      return chosen === undefined
        ? undefined
        : `${chosen}${audience.exclude ? `, without ${withoutLabels(audience.exclude, (id) => segments.get(id))}` : ''}`.slice(
            0,
            maxLength,
          )
    }
  }
}

const prefixed = (word: string, name: string | undefined) => (name === undefined ? undefined : `${word} ${name}`)

const nameOfContacts = (count: number): string => (count === 1 ? '1 contact' : `${count} contacts`)

/** Returns the audience's name, by the earlier campaign's name. */
export const nameOfMissed = (
  earlier: string,
  { missed, classes }: Pick<MissedAudience, 'missed' | 'classes'>,
): string => `${earlier}: ${missedLabels[missed]}${classes ? whichFailed(classes) : ''}`.slice(0, maxLength)

const whichFailed = (classes: readonly FailureClass[]): string =>
  classes.every((failureClass) => failureClass === 'wait_24h') ? ', held back by WhatsApp' : ', some reasons'

const missedLabels: Record<Missed, string> = {
  failed: 'failed',
  not_delivered: 'not delivered',
  not_read: 'delivered, not read',
  not_replied: 'delivered, no reply',
  not_confirmed: 'not confirmed',
}

/** The segments that an audience names. */
export const segmentsIn = (audience: Audience): string[] => [
  ...(audience.kind === 'segment' ? [audience.segmentId] : []),
  ...(audience.exclude?.segmentIds ?? []),
]

/** Lists each contact, tag and segment once; a malformed id is no contact of a workspace. */
export function storedAudience(audience: Audience): Audience {
  const { exclude: exclusions, ...chosen } = audience
  const exclude = exclusions && { tags: [...new Set(exclusions.tags)], segmentIds: [...new Set(exclusions.segmentIds)] }
  const isUsed = exclude && exclude.tags.length + exclude.segmentIds.length > 0
  const kept =
    chosen.kind === 'contacts' ? { ...chosen, contactIds: [...new Set(chosen.contactIds)].filter(isId) } : chosen
  return { ...kept, ...(isUsed && { exclude }) }
}
