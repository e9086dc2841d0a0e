import type { MergedThread } from '@parley/contracts/platform/event-data'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type {
  ConversationRecord,
  ConversationState,
  ConversationsRepository,
  ConversationsService,
} from '../../inbox/conversations/conversations.service.ts'
import {
  type AccountOf,
  emptied,
  isAutomated,
  isOwnedAlike,
  joined,
  parted,
  restored,
  stateOf,
  writeState,
} from './merged-conversations.ts'
import type { MoveInput } from './move-messages.ts'

/** The conversations of two contacts that become one, and those of a contact that becomes two again. */
export function createMergedThreads({
  conversationRecords: stored,
  conversations,
  numbers,
}: {
  readonly conversationRecords: Pick<ConversationsRepository, 'withContact' | 'readMany' | 'change'>
  readonly conversations: Pick<ConversationsService, 'ensure' | 'idsOf'>
  readonly numbers: Pick<NumbersService, 'allIds'>
}) {
  /** The conversations of two contacts, by number: those of the one that stays are begun where they are missing. */
  async function begin(scope: WorkspaceScope, keptId: string, otherId: string): Promise<MoveInput['pairs']> {
    const theirs = await stored.withContact(scope, otherId)
    await conversations.ensure(
      scope,
      theirs.map(({ numberId }) => ({ numberId, contactId: keptId })),
    )
    return pairsOf(scope, keptId, otherId, theirs)
  }

  /** Pairs conversations, also those without a record, in which campaigns have written. */
  async function pairsOf(scope: WorkspaceScope, keptId: string, otherId: string, begun: readonly ConversationRecord[]) {
    const pairs: MoveInput['pairs'] = []
    for (const numberId of new Set([...(await numbers.allIds(scope)), ...begun.map((thread) => thread.numberId)])) {
      const idOf = await conversations.idsOf(scope, numberId, [keptId, otherId])
      pairs.push({ from: idOf(otherId), to: idOf(keptId) })
    }
    return pairs
  }

  /** The other one's threads come into those of the one that stays. */
  async function join(
    scope: WorkspaceScope,
    pairs: MoveInput['pairs'],
    account: AccountOf,
    tx: Tx,
  ): Promise<MergedThread[]> {
    const known = await recordsOf(scope, pairs, tx)
    const threads: MergedThread[] = []
    for (const { from, to } of pairs) {
      const [other, kept] = [known.get(from), known.get(to)]
      if (!other) continue
      if (!kept) throw errors.serviceUnavailable(new Error('a conversation is not visible yet'))
      const [otherState, before] = [stateOf(other), stateOf(kept)]
      const { $set, $unset } = writeState(emptied(otherState))
      await stored.change(
        scope,
        from,
        { $set: { ...$set, merged: { id: to, own: otherState, other: before } }, $unset },
        tx,
      )
      const both = joined(before, otherState, account)
      const after = writeWithOwner(kept, both)
      // Otherwise clearing the sample data would leave it.
      const sample = other.sample && { sample: other.sample }
      const epochs = newEpoch(kept, other)
      const joint = { ...after.$set, ...sample, ...epochs }
      await stored.change(scope, to, { $set: joint, $unset: after.$unset }, tx)
      const epoch = epochs.ownerEpoch
      threads.push({ keptId: to, otherId: from, epoch, ...(isAutomated(both) && { session: 'kept' }) })
    }
    return threads
  }

  /** Separates two merged conversations. @returns them, and those that messages go back from and to. */
  async function part(
    scope: WorkspaceScope,
    { keptId, otherId, account }: { keptId: string; otherId: string; account: AccountOf },
    tx: Tx,
  ): Promise<{ pairs: MoveInput['pairs']; threads: MergedThread[] }> {
    const theirs = await stored.withContact(scope, otherId, tx)
    const pairs = (await pairsOf(scope, keptId, otherId, theirs)).map(({ from, to }) => ({ from: to, to: from }))
    const known = await recordsOf(scope, pairs, tx)
    const threads: MergedThread[] = []
    for (const { from, to } of pairs) {
      const [kept, other] = [known.get(from), known.get(to)]
      if (!other?.merged) continue
      const state = kept ? stateOf(kept) : other.merged.other
      const epochs = newEpoch(other, kept)
      const [left, right] = [parted(state, other.merged, account), restored(state, other.merged, account)]
      const { $set, $unset } = writeState(right)
      await stored.change(scope, to, { $set: { ...$set, ...epochs }, $unset: { ...$unset, merged: 1 } }, tx)
      const session = isAutomated(left) ? 'kept' : isAutomated(right) ? 'other' : undefined
      threads.push({ keptId: from, otherId: to, epoch: epochs.ownerEpoch, ...(session && { session }) })
      if (!kept) continue
      const after = writeWithOwner(kept, left)
      await stored.change(scope, from, { ...after, $set: { ...after.$set, ...epochs } }, tx)
    }
    return { pairs, threads }
  }

  async function recordsOf(
    scope: WorkspaceScope,
    pairs: MoveInput['pairs'],
    tx: Tx,
  ): Promise<Map<string, ConversationRecord>> {
    const ids = pairs.flatMap(({ from, to }) => [from, to])
    return new Map((await stored.readMany(scope, ids, tx)).map((record) => [record.id, record]))
  }

  return { begin, join, part }
}

/** Returns an epoch above those of both threads: queued messages of automations do not leave from the merged one. */
function newEpoch(one: ConversationRecord, other: ConversationRecord | undefined) {
  const epoch = Math.max(one.ownerEpoch, other?.ownerEpoch ?? 0) + 1
  return { ownerEpoch: epoch, personEpoch: epoch }
}

/** Writes the state; a changed owner raises the owner version, so that a caller who has seen another owner is out of date. */
function writeWithOwner(record: ConversationRecord, state: ConversationState) {
  const { $set, $unset } = writeState(state)
  return { $set: { ...$set, ...(!isOwnedAlike(record, state) && { ownerVersion: record.version + 1 }) }, $unset }
}
