import { parentPort, workerData } from 'node:worker_threads'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import { createLogger } from '@parley/service-kit/core/logger'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { createAuditRepository } from './audit.repository.ts'
import { createChainCheck, type Place } from './chain.ts'

/** Entries of a chain that one thread verifies: those behind `from`, up to and with `to`. */
export interface Range {
  readonly url: string
  readonly ring: readonly NamedKey[]
  readonly workspaceId: string
  readonly from: number
  readonly to: number
}

/** Finding of one thread: whether its entries follow each other, the hash that the first of them follows, and where they end. */
export interface RangeCheck {
  readonly isWhole: boolean
  readonly start: string
  readonly end: Place
}

/** Runs as a thread of its own. @param start hash of the first entry of the chain's range; of any other it is the entry's before. */
async function checkRange({
  url,
  ring,
  workspaceId,
  from,
  to,
  start,
}: Range & { start?: string }): Promise<RangeCheck> {
  // A thread has no file descriptor of the process's output.
  const logger = createLogger({ name: 'audit-verify', level: 'warn', destination: process.stdout })
  const mongo = await connectMongo(url, { name: 'audit-verify', logger })
  try {
    const records = createAuditRepository(mongo)
    const before = start ?? (await records.hashAt({ workspaceId }, from)) ?? ''
    const check = createChainCheck(ring, { seq: from, hash: before })
    let count = 0
    for await (const entry of records.chained({ workspaceId }, {}, { after: from, upTo: to })) {
      check.add(entry)
      count += 1
    }
    const end = check.head()
    const isWhole = check.finish(end).length === 0 && end.seq === to && count === to - from
    return { isWhole, start: before, end }
  } finally {
    await mongo.close()
  }
}

parentPort?.postMessage(await checkRange(workerData))
