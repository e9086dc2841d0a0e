import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MemberFactsService } from './member-facts.ts'

/** Shown for a user whose name is no longer known. */
const former = 'A former member'
/** Shown where the name could not be requested. */
const unnamed = 'A member'

export type MemberNames = ReturnType<typeof createMemberNames>

/** Names of members for one file that is written. While profile is unavailable the file has those that are known. */
export function createMemberNames(scope: WorkspaceScope, find: MemberFactsService['find']) {
  const names = new Map<string, string>()
  let isAway = false

  /** Reads users whose names are needed next from profile. */
  async function learn(userIds: readonly string[]): Promise<void> {
    const ids = userIds.filter((id) => !names.has(id))
    if (ids.length === 0 || isAway) return
    const { found, failure } = await find(scope, ids)
    isAway = failure !== undefined
    for (const id of ids) {
      const name = found.get(id)?.name || (isAway ? undefined : former)
      if (name !== undefined) names.set(id, name)
    }
  }

  const nameOf = (userId: string): string => names.get(userId) ?? unnamed
  /** The same within a sentence. */
  const inSentence = (userId: string): string => {
    const name = nameOf(userId)
    return name === former || name === unnamed ? name.toLowerCase() : name
  }
  return { learn, nameOf, inSentence }
}
