import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { CampaignDraft } from '@parley/contracts/campaigns/campaign-fields'
import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Segment } from '@parley/contracts/contacts/segments'
import { createSampleDataset, type SampleDataset } from '@parley/sample/sample-dataset'
import { refusal, refuseStale } from '../refusal.ts'
import { withoutAbsent } from '../without-absent.ts'

/** A workspace with sample data, and what handlers of several domains keep beside it. */
export interface Workspace extends SampleDataset {
  readonly deletedContacts: Map<string, Contact>
  readonly savedSegments: Map<string, Omit<Segment, 'count'> & { version: number }>
  /** The newest first. */
  readonly jobs: ContactJob[]
  readonly drafts: Map<string, CampaignDraft>
  /** `draft-1` for the first draft; no id comes twice. */
  readonly nextDraftId: () => string
  readonly reviews: Map<string, CampaignReview>
}

/** @param records number of contacts and conversations; the sample's own if absent, 0 for an empty workspace. */
export function createWorkspace(records?: number): Workspace {
  let draftsSoFar = 0
  return Object.assign(createSampleDataset({ now: new Date(), ...(records !== undefined && { records }) }), {
    deletedContacts: new Map(),
    savedSegments: new Map(),
    jobs: [],
    drafts: new Map(),
    nextDraftId: () => {
      draftsSoFar += 1
      return `draft-${draftsSoFar}`
    },
    reviews: new Map(),
  })
}

export const now = () => new Date().toISOString()

let made = 0
/** Fields of a new record. @param kind `contact` */
export function newRecord(kind: string) {
  made += 1
  return { id: `${kind}-${made}00`, createdAt: now(), updatedAt: now(), version: 1 }
}

/** @throws Refusal `not_found`. */
export function find<T>(records: ReadonlyMap<string, T>, id: string): T {
  const record = records.get(id)
  if (record === undefined) throw refusal('not_found', 'There is no such record.')
  return record
}

export function insert<T extends { id: string }>(records: Map<string, T>, record: T): T {
  records.set(record.id, record)
  return record
}

/**
 * Stores the next version of a record; what `patch` leaves undefined stays.
 * @param seen version that the change was made from; unchecked where absent.
 * @throws Refusal `not_found`, `stale_version`.
 */
export function change<T extends { id: string; version: number }>(
  records: Map<string, T>,
  id: string,
  patch: { [K in keyof T]?: T[K] | undefined },
  seen?: number,
): T {
  const before = find(records, id)
  if (seen !== undefined) refuseStale('record', before, seen)
  return insert(records, { ...before, ...withoutAbsent(patch), updatedAt: now(), version: before.version + 1 })
}

/** @throws Refusal `not_found`. */
export function remove<T>(records: Map<string, T>, id: string): undefined {
  find(records, id)
  records.delete(id)
  return undefined
}

/** @throws Refusal beside the field where another one of `others` has the name already. */
export function refuseTakenName(
  { code, kind, field }: { code: Parameters<typeof refusal>[0]; kind: string; field: string },
  name: string,
  others: readonly string[],
): void {
  if (!others.some((other) => other.toLowerCase() === name.toLowerCase())) return
  const message = `There is a ${kind} named ${name} already.`
  throw refusal(code, message, { [field]: message })
}
