import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { AuditRepository } from './audit.repository.ts'
import { chainStart, isGenuine, type Place } from './chain.ts'
import type { Range, RangeCheck } from './check-range.ts'
import { type VerifiedChain, verifyChain } from './verify-chain.ts'

/** Entries from which on threads gain more than their start costs. */
const minForThreads = 50_000

interface Wanted {
  readonly ring: readonly NamedKey[]
  readonly records: Pick<AuditRepository, 'head' | 'chained' | 'last'>
  readonly workspaceId: string
  readonly anchor?: Place | undefined
  /** Verifies ranges beside each other; absent where one thread is enough. */
  readonly threads?: { readonly url: string; readonly count: number; readonly minEntries?: number } | undefined
}

/**
 * Verifies the chain of a workspace up to the end that it has at the beginning: entries may be added and removed in their time meanwhile.
 * @returns as `verifyChain`.
 */
export async function verifyWorkspace({ ring, records, workspaceId, anchor, threads }: Wanted): Promise<VerifiedChain> {
  const scope = { workspaceId }
  const head = (await records.head(scope)) ?? undefined
  const start = head?.from && { workspaceId, checkpoint: head.from }
  const first = head?.from ?? { seq: 0, hash: chainStart }
  const isLong = head !== undefined && head.seq - first.seq >= (threads?.minEntries ?? minForThreads)
  // Threads tell whether all is whole, and nothing else.
  const isWhole =
    threads !== undefined &&
    isLong &&
    anchor === undefined &&
    (!start || isGenuine(ring, workspaceId, start.checkpoint)) &&
    (await areRangesWhole({ ring, workspaceId, ...threads }, first, head))
  const verified: VerifiedChain = isWhole
    ? { faults: [], count: head.seq - first.seq, seq: head.seq, hash: head.hash }
    : await verifyChain(ring, records.chained(scope, {}, { upTo: head?.seq }), { head, anchor, start })
  // The worker stores an entry's place together with the end: one behind the end of now is none of its.
  const last = await records.last(scope)
  const now = await records.head(scope)
  const wasPruned = now?.from?.seq !== head?.from?.seq
  if (wasPruned && verified.faults.length > 0) return verifyWorkspace({ ring, records, workspaceId, anchor, threads })
  const end = now?.seq ?? 0
  return last > end ? { ...verified, faults: [...verified.faults, { seq: end + 1, kind: 'added' }] } : verified
}

/** Verifies parts of a chain in threads. @returns whether each is whole, begins where the one before ends, and the last one ends at the head. */
async function areRangesWhole(
  { count, ...common }: Pick<Range, 'ring' | 'workspaceId' | 'url'> & { readonly count: number },
  first: Place,
  head: Place,
): Promise<boolean> {
  const size = Math.ceil((head.seq - first.seq) / count)
  const ranges = Array.from({ length: count }, (_, n) => ({
    ...common,
    from: first.seq + n * size,
    to: Math.min(first.seq + (n + 1) * size, head.seq),
    ...(n === 0 && { start: first.hash }),
  })).filter(({ from, to }) => from < to)
  const checks = await Promise.all(
    ranges.map(async (workerData): Promise<RangeCheck> => {
      const worker = new Worker(new URL('check-range.ts', import.meta.url), { workerData })
      const [check] = await once(worker, 'message')
      return check
    }),
  )
  return (
    checks.every(({ isWhole, start }, n) => isWhole && start === (n === 0 ? first.hash : checks[n - 1]?.end.hash)) &&
    checks.at(-1)?.end.hash === head.hash
  )
}
