import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import { digestOf, type StoredAuditEntry } from '@parley/service-kit/data/audit-log'
import canonicalize from 'canonicalize'

/** Hash before the first entry of a workspace. */
export const chainStart = ''

/**
 * Returns the part of an entry that its hash covers: all but the personal details, of which only the digest is, and its own place. It is
 * an audit row, made in one step: long chains are verified as fast as this is.
 */
function contentOf({
  _id,
  workspaceId: _workspaceId,
  at,
  fresh: _fresh,
  seq: _seq,
  hash: _hash,
  keyId: _keyId,
  personal: _erasable,
  ...content
}: StoredAuditEntry): string {
  return canonicalize({ ...content, id: _id.toHexString(), at: at.toISOString() }) ?? ''
}

/**
 * Computes the hash of an entry that follows another: HMAC-SHA256 of the previous hash and the entry in canonical form (RFC 8785). Who
 * has the database and not the key cannot make one.
 */
export const hashAfter = (previous: string, entry: StoredAuditEntry, named: NamedKey): string =>
  createHmac('sha256', secretOf(named))
    .update(`${previous}\n${contentOf(entry)}`)
    .digest('base64url')

/** Prepared keys: preparing one costs five times as much as a hash. */
const secrets = new WeakMap<NamedKey, KeyObject>()
function secretOf(named: NamedKey): KeyObject {
  const secret = secrets.get(named) ?? createSecretKey(named.key)
  secrets.set(named, secret)
  return secret
}

/** Last entry that was removed when its time was over: the chain that is left begins behind it. */
export interface Checkpoint {
  readonly seq: number
  readonly hash: string
  readonly keyId: string
  readonly mac: string
}
export type Place = Pick<Checkpoint, 'seq' | 'hash'>

const macOf = (workspaceId: string, { seq, hash }: Place, named: NamedKey): string =>
  createHmac('sha256', secretOf(named)).update(`checkpoint\n${workspaceId}\n${seq}\n${hash}`).digest('base64url')

/** Seals where a chain begins: who has the database and not the key cannot move it. */
export const checkpointAt = (workspaceId: string, { seq, hash }: Place, named: NamedKey): Checkpoint => ({
  seq,
  hash,
  keyId: named.id,
  mac: macOf(workspaceId, { seq, hash }, named),
})

/** Returns whether a checkpoint is of this workspace, and as it was sealed. */
export function isGenuine(ring: readonly NamedKey[], workspaceId: string, checkpoint: Checkpoint): boolean {
  const key = ring.find(({ id }) => id === checkpoint.keyId)
  return key !== undefined && macOf(workspaceId, checkpoint, key) === checkpoint.mac
}

/** Fault of a chain; `seq` is the place of the entry that is named. */
export interface ChainFault {
  readonly seq: number
  readonly kind: 'changed' | 'missing' | 'added' | 'moved' | 'details changed'
  readonly entryId?: string
  /** Last of the missing entries. */
  readonly upTo?: number
}

/** Hashes by which a moved entry is told from a changed one. */
const maxRemembered = 200_000

/**
 * Verifies entries in the order of their chain.
 * @param ring keys by which they were sealed.
 * @param start place and hash before the first entry.
 */
export function createChainCheck(ring: readonly NamedKey[], start: { seq: number; hash: string }) {
  const keys = new Map(ring.map((named) => [named.id, named]))
  let { seq, hash } = start
  /** An entry that did not follow; the next one tells whether it was added or changed. */
  let doubtful: { entry: StoredAuditEntry; before: string } | undefined
  const suspects: { entry: StoredAuditEntry; fault: ChainFault }[] = []
  const hashes: string[] = [hash]
  const faults: ChainFault[] = []

  const follows = (previous: string, entry: StoredAuditEntry): boolean => {
    const key = keys.get(entry.keyId ?? '')
    return key !== undefined && hashAfter(previous, entry, key) === entry.hash
  }

  function add(entry: StoredAuditEntry): void {
    const place = entry.seq ?? 0
    if (place > seq + 1) faults.push({ seq: seq + 1, kind: 'missing', ...(place > seq + 2 && { upTo: place - 1 }) })
    const hasGap = place !== seq + 1
    if (doubtful && follows(doubtful.before, entry)) settle('added')
    else if (follows(hash, entry)) settle('changed')
    else {
      settle('changed')
      // After a gap the previous hash is not there to compare with.
      if (!hasGap) doubtful = { entry, before: hash }
    }
    const { personal, personalDigest } = entry
    if (personal && digestOf(personal) !== personalDigest)
      faults.push({ seq: place, kind: 'details changed', entryId: entry._id.toHexString() })
    seq = place
    hash = entry.hash ?? ''
    if (hashes.length < maxRemembered) hashes.push(hash)
  }

  function settle(kind: 'changed' | 'added'): void {
    if (!doubtful) return
    const { entry } = doubtful
    suspects.push({ entry, fault: { seq: entry.seq ?? 0, kind, entryId: entry._id.toHexString() } })
    doubtful = undefined
  }

  /**
   * Ends the check.
   * @param head place and hash that the chain should have reached.
   */
  function finish(head?: { seq: number; hash: string }): ChainFault[] {
    settle(head && doubtful && head.hash === doubtful.before ? 'added' : 'changed')
    // One whose hash is right elsewhere was whole, and stands in another's place.
    for (const { entry, fault } of suspects)
      faults.push(hashes.some((known) => follows(known, entry)) ? { ...fault, kind: 'moved' } : fault)
    if (head && head.seq > seq)
      faults.push({ seq: seq + 1, kind: 'missing', ...(head.seq > seq + 1 && { upTo: head.seq }) })
    else if (head && head.seq < seq) faults.push({ seq: head.seq + 1, kind: 'added' })
    else if (head && head.hash !== hash && !faults.some((fault) => fault.seq === seq))
      faults.push({ seq, kind: 'changed' })
    return faults.sort((left, right) => left.seq - right.seq)
  }

  return { add, finish, head: () => ({ seq, hash }) }
}
