import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { StoredAuditEntry } from '@parley/service-kit/data/audit-log'
import { type ChainFault, type Checkpoint, chainStart, createChainCheck, isGenuine, type Place } from './chain.ts'

/** Faults of a chain, how many entries it has, and its last place and hash. */
export interface VerifiedChain extends Place {
  readonly faults: readonly ChainFault[]
  readonly count: number
}

/**
 * Verifies a chain from its beginning, or from the checkpoint behind which older entries were removed.
 * @param ends.head where the chain should end, by the database.
 * @param ends.start the checkpoint, and the workspace that it has to be of.
 * @param ends.anchor a place and its hash that were noted elsewhere: somebody who has the database can remove the newest entries together
 * with the head.
 */
export async function verifyChain(
  ring: readonly NamedKey[],
  entries: AsyncIterable<StoredAuditEntry>,
  ends: {
    readonly head?: Place | undefined
    readonly anchor?: Place | undefined
    readonly start?: { readonly workspaceId: string; readonly checkpoint: Checkpoint } | undefined
  },
): Promise<VerifiedChain> {
  const { start, anchor } = ends
  const check = createChainCheck(ring, start?.checkpoint ?? { seq: 0, hash: chainStart })
  let count = 0
  let anchored: string | undefined
  for await (const entry of entries) {
    check.add(entry)
    count += 1
    if (entry.seq === anchor?.seq) anchored = entry.hash
  }
  const { seq, hash } = check.head()
  const faults = check.finish(ends.head && { seq: ends.head.seq, hash: ends.head.hash })
  if (start && !isGenuine(ring, start.workspaceId, start.checkpoint))
    faults.push({ seq: start.checkpoint.seq, kind: 'changed' })
  // An entry that was removed in its time is no longer there to be compared with.
  const isOver = anchor !== undefined && start !== undefined && anchor.seq < start.checkpoint.seq
  if (anchor?.seq === start?.checkpoint.seq) anchored = start?.checkpoint.hash
  const isTold = (at: number) => faults.some((fault) => fault.seq <= at && at <= (fault.upTo ?? fault.seq))
  if (anchor && !isOver && anchored !== anchor.hash && !isTold(anchor.seq))
    faults.push({ seq: anchor.seq, kind: anchored === undefined ? 'missing' : 'changed' })
  return { faults, count, seq, hash }
}
