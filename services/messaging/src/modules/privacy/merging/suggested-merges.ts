import {
  type contactMergeApi,
  type Duplicate,
  maxSuggestedMerges,
  type SuggestedMerge,
} from '@parley/contracts/contacts/contact-merge'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { toContact } from '../../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import type { ConversationsRepository } from '../../inbox/conversations/conversations.service.ts'
import { emailsOf, isOtherHalf, maxNamesakes } from './duplicates.ts'
import { areOneLine } from './merged-fields.ts'

type Query = EndpointInput<typeof contactMergeApi.suggestions>['query']
type Page = EndpointResponse<typeof contactMergeApi.suggestions>
interface Pair {
  readonly kept: ContactRecord
  readonly other: ContactRecord
  readonly because: Duplicate['because']
}

/** Contacts that one page looks through. */
const readAtOnce = 2000

/**
 * Looks through all contacts of a workspace for those that may be one person, name by name: the signs are those of `createDuplicates`, for
 * contacts of one name.
 */
export function createSuggestedMerges({
  contacts,
  conversationRecords,
}: {
  readonly contacts: Pick<ContactsRepository, 'byNameAfter' | 'read'>
  readonly conversationRecords: Pick<ConversationsRepository, 'withContacts'>
}) {
  /** @throws `not_found` for an `after` that is gone. */
  return async (scope: WorkspaceScope, { after }: Query): Promise<Page> => {
    const last = after === undefined ? undefined : await contacts.read(scope, after)
    if (last === null) throw errors.notFound('The list has changed meanwhile. Begin again.')
    const found = await contacts.byNameAfter(scope, last?.nameKey ?? '', readAtOnce)
    const groups = [...Map.groupBy(found, ({ nameKey }) => nameKey).values()]
    // The last name may go on behind this page: it begins the next one, unless it fills this one alone.
    const isWhole = found.length < readAtOnce
    const complete = isWhole || groups.length === 1 ? groups : groups.slice(0, -1)
    const pairs: Pair[] = []
    let seen: ContactRecord | undefined
    for (const group of complete) {
      const ofGroup = group.length > maxNamesakes ? [] : pairsOf(group)
      if (pairs.length > 0 && pairs.length + ofGroup.length > maxSuggestedMerges)
        return { items: await shown(scope, pairs), next: seen?.id ?? null }
      pairs.push(...ofGroup)
      seen = group.at(-1)
    }
    return { items: await shown(scope, pairs), next: isWhole ? null : (seen?.id ?? null) }
  }

  async function shown(scope: WorkspaceScope, pairs: readonly Pair[]): Promise<SuggestedMerge[]> {
    const ids = pairs.flatMap(({ kept, other }) => [kept.id, other.id])
    const threads = await conversationRecords.withContacts(scope, [...new Set(ids)])
    const byContact = Map.groupBy(threads, ({ contactId }) => contactId)
    const movedOf = ({ id }: ContactRecord) => {
      const theirs = byContact.get(id) ?? []
      return {
        conversations: theirs.length,
        messages: theirs.reduce((sum, { messageCount }) => sum + messageCount, 0),
      }
    }
    return pairs.map(({ kept, other, because }) => ({
      kept: toContact(kept),
      other: toContact(other),
      because,
      moved: { kept: movedOf(kept), other: movedOf(other) },
    }))
  }
}

/** Pairs the contacts of one name: each is merged into one at most, and none that stays into another. */
function pairsOf(group: readonly ContactRecord[]): Pair[] {
  const [pairs, taken]: [Pair[], Set<string>] = [[], new Set()]
  const ordered = group.toSorted(
    (left, right) =>
      (right.lastContactAt?.getTime() ?? 0) - (left.lastContactAt?.getTime() ?? 0) ||
      left.createdAt.getTime() - right.createdAt.getTime(),
  )
  for (const [index, kept] of ordered.entries())
    for (const other of taken.has(kept.id) ? [] : ordered.slice(index + 1)) {
      const because = taken.has(other.id) ? undefined : signOf(kept, other)
      if (!because) continue
      taken.add(other.id)
      pairs.push({ kept, other, because })
    }
  return pairs
}

function signOf(kept: ContactRecord, other: ContactRecord): Duplicate['because'] | undefined {
  // Sample contacts merge with sample contacts only.
  if (kept.sample !== other.sample) return undefined
  if (areOneLine(kept, other)) return 'phone'
  const emails = emailsOf(kept)
  if (emailsOf(other).some((email) => emails.includes(email))) return 'email'
  return isOtherHalf(kept, other) ? 'name' : undefined
}
