import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { StoredAuditEntry } from '@parley/service-kit/data/audit-log'
import { type ChainFault, chainStart, createChainCheck } from './chain.ts'

interface Place {
  readonly seq: number
  readonly hash: string
}

/**
 * Verifies a chain from its beginning.
 * @param ends.head where the chain should end, by the database.
 * @param ends.anchor a place and its hash that were noted elsewhere: somebody who has the database can remove the newest entries together
 * with the head.
 * @returns the faults, and where the chain ends.
 */
export async function verifyChain(
  ring: readonly NamedKey[],
  entries: AsyncIterable<StoredAuditEntry>,
  ends: { readonly head?: Place | undefined; readonly anchor?: Place | undefined },
): Promise<{ faults: readonly ChainFault[]; count: number; seq: number; hash: string }> {
  const check = createChainCheck(ring, { seq: 0, hash: chainStart })
  let count = 0
  let anchored: string | undefined
  for await (const entry of entries) {
    check.add(entry)
    count += 1
    if (entry.seq === ends.anchor?.seq) anchored = entry.hash
  }
  const { seq, hash } = check.head()
  const faults = check.finish(ends.head && { seq: ends.head.seq, hash: ends.head.hash })
  const isTold = (at: number) => faults.some((fault) => fault.seq <= at && at <= (fault.upTo ?? fault.seq))
  if (ends.anchor && anchored !== ends.anchor.hash && !isTold(ends.anchor.seq))
    faults.push({ seq: ends.anchor.seq, kind: anchored === undefined ? 'missing' : 'changed' })
  return { faults, count, seq, hash }
}
