import { type MemberFacts, maxMemberFacts } from '@parley/contracts/account/profile-internal'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { LRUCache } from 'lru-cache'

/** Asks the profile service; at most {@link maxMemberFacts} ids at once. @throws `service_unavailable`. */
export type AskMembers = (scope: WorkspaceScope, ids: readonly string[]) => Promise<readonly MemberFacts[]>

/** Asks the profile service how many a workspace has, and who decides on approvals. @throws `service_unavailable`. */
export type AskPeople = (
  scope: WorkspaceScope,
) => Promise<{ readonly seats: number; readonly deciders: readonly string[] }>

/** In a process that asks for no members. */
export const notAsked = () => Promise.reject(errors.serviceUnavailable('not connected'))

const maxKept = 10_000
const keptMs = 60_000

interface FoundMembers {
  readonly found: ReadonlyMap<string, MemberFacts>
  readonly failure?: unknown
}

export type MemberFactsService = ReturnType<typeof createMemberFacts>

/**
 * Caches facts about the members of a workspace. Profile has their names and roles; here they are kept for a minute at most, in
 * memory alone. Ids that profile does not know are not cached, so that a new member is known at once.
 * @param ask absent in a process that asks for no members.
 */
export function createMemberFacts(ask: AskMembers = notAsked, clock: { now: () => number } = performance) {
  const kept = new LRUCache<string, MemberFacts>({ max: maxKept, ttl: keptMs, ttlResolution: 0, perf: clock })

  /**
   * Finds those of the users who are or were members, by id.
   * @returns also the `failure` that kept it from finding all of them: then some known members may be missing.
   */
  async function find(scope: WorkspaceScope, userIds: Iterable<string>): Promise<FoundMembers> {
    const keyOf = (id: string) => `${scope.workspaceId}.${id}`
    const found = new Map<string, MemberFacts>()
    const unknown: string[] = []
    for (const id of new Set(userIds)) {
      const facts = kept.get(keyOf(id))
      if (facts) found.set(id, facts)
      else if (isId(id)) unknown.push(id)
    }
    try {
      for (let start = 0; start < unknown.length; start += maxMemberFacts) {
        for (const facts of await ask(scope, unknown.slice(start, start + maxMemberFacts))) {
          found.set(facts.id, facts)
          kept.set(keyOf(facts.id), facts)
        }
      }
    } catch (failure) {
      return { found, failure }
    }
    return { found }
  }

  /**
   * Checks that users are members now, before anything is given to them.
   * @throws `validation_failed` at the field, `service_unavailable` where that cannot be known: then nothing is given.
   */
  async function check(scope: WorkspaceScope, userIds: readonly string[], field: string): Promise<void> {
    const { found, failure } = await find(scope, userIds)
    if (failure !== undefined) {
      const sentence =
        'Members of the workspace cannot be checked right now, so nothing was changed. Try again shortly.'
      throw new AppError('service_unavailable', sentence, { cause: failure, retryAfterSeconds: 5 })
    }
    const strangers = userIds.filter((id) => found.get(id)?.active !== true)
    if (strangers.length === 0) return
    const who =
      strangers.length === 1
        ? 'One of these people is not a member'
        : `${strangers.length} of these people are not members`
    throw errors.validation({
      [field]:
        userIds.length === 1
          ? 'This person is not a member of the workspace. Choose somebody else.'
          : `${who} of the workspace any more. Leave them out.`,
    })
  }

  return { find, check }
}
