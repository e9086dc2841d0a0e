import {
  type contactMergeApi,
  haveTwoAccounts,
  type MergedContact,
  mergedContact,
  mergeUndoDays,
  onlyAccount,
} from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { maxTags } from '@parley/contracts/contacts/tags'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { isNamed } from '@parley/rules/contact-name'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { JobReference } from '@parley/service-kit/data/job-records'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { lineOf, searchKeys, toAttributes, toContact } from '../../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository, MergedFields } from '../../contacts/contacts.service.ts'
import type { ConversationsService } from '../../inbox/conversations/conversations.service.ts'
import { createMergeRecords, type MergeRecordDependencies } from './merge-records.ts'
import { createMergedConsent } from './merged-consent.ts'
import {
  type Account,
  absentAccount,
  accountAfter,
  accountOfMerge,
  areOneLine,
  confirmedForm,
  fieldsBack,
  fieldsOf,
  importsOfBoth,
  latest,
  lineAfter,
  type Merger,
  memberOf,
  withOnePhone,
} from './merged-fields.ts'
import { createMergedThreads } from './merged-threads.ts'

type MergeRequest = EndpointInput<typeof contactMergeApi.merge>['body']

const undoMs = mergeUndoDays * 86_400_000

type SharedDependencies = Parameters<typeof createMergedThreads>[0] & Parameters<typeof createMergedConsent>[0]
interface Dependencies extends SharedDependencies, MergeRecordDependencies {
  readonly contacts: MergeRecordDependencies['contacts'] & Pick<ContactsRepository, 'read' | 'mergedInto' | 'findBy'>
  readonly conversations: Pick<ConversationsService, 'contactsChanged' | 'ensure' | 'idsOf'>
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

/**
 * Makes one contact of two, and two of one again. What lists show changes at once, in one transaction; the messages follow
 * by a job.
 */
export function createMerging(deps: Dependencies) {
  const { contacts, transaction, now = () => new Date() } = deps
  const threads = createMergedThreads(deps)
  const consent = createMergedConsent(deps)
  const { find, requireVersion, write, emitChange, move } = createMergeRecords(deps)

  /**
   * Merges another contact into one. A block or opt-out of either applies afterwards.
   * @param part.account how the kept one is reached afterwards, where both are known to be one account.
   * @param part.jobId job that merges them among others.
   * @throws `not_found`; `stale_version` where one of them has changed; `wrong_state` where they cannot be one.
   */
  async function merge(
    ctx: Merger,
    keptId: string,
    request: MergeRequest,
    part: { readonly account?: Account | undefined; readonly jobId?: string } = {},
  ): Promise<Contact> {
    const { account, jobId } = part
    const { otherId, taken } = request
    if (keptId === otherId) throw errors.wrongState('A contact cannot be merged with itself.')
    await Promise.all([find(ctx, keptId), find(ctx, otherId)])
    const pairs = await threads.begin(ctx, keptId, otherId)
    const { contact, job } = await transaction(async (tx) => {
      const kept = await requireVersion(ctx, keptId, request.version, tx)
      const other = await requireVersion(ctx, otherId, request.otherVersion, tx)
      if (kept.sample !== other.sample)
        throw errors.wrongState('One of these contacts is part of the sample data, which can be cleared.')
      const [one, two] = withOnePhone(toContact(kept), toContact(other), taken.account)
      const result = { ...mergedContact(one, two, taken), ...account }
      if (result.tags.length > maxTags)
        throw errors.wrongState(`Together they carry more than ${maxTags} tags. Remove some of them first.`)
      const blocked = kept.blocked || other.blocked
      const fields: MergedFields = { ...result, attributes: toAttributes(result.attributes) }
      const after = { ...fields, blocked }
      const entries = await consent.of(ctx, kept, other)
      const merged = {
        id: keptId,
        at: now(),
        ...memberOf(ctx),
        ...(jobId !== undefined && { jobId }),
        account: onlyAccount(other),
        before: {
          ...fieldsOf(kept),
          blocked: kept.blocked,
          optIn: kept.optIn,
          ...omitUndefined({ utilityConsent: kept.utilityConsent, importIds: kept.importIds }),
        },
        after,
        consentKeys: entries.map(({ key }) => key),
      }
      const waPhone = omitUndefined({ waPhone: confirmedForm(kept, other, fields.phone) })
      // Done first, since no two contacts have the same number at any time.
      await write(ctx, other, { live: false, merged, grams: [], line: undefined, ...absentAccount }, tx)
      const times = omitUndefined({
        lastContactAt: latest(kept.lastContactAt, other.lastContactAt),
        lastMarketingAt: latest(kept.lastMarketingAt, other.lastMarketingAt),
        importIds: importsOfBoth(kept, other),
      })
      const keys = { ...searchKeys(fields), line: lineAfter([kept, other], fields.phone) }
      await write(ctx, kept, { ...absentAccount, ...after, ...keys, ...times, ...waPhone }, tx)
      await consent.record(ctx, entries, tx)
      const accountOf = account ? 'both' : accountAfter(kept, other, taken.account)
      const joined = await threads.join(ctx, pairs, accountOf, tx)
      return {
        contact: await emitChange(ctx, { keptId, otherId, threads: joined }, tx),
        job: await move(ctx, { from: otherId, to: keptId, back: false, pairs }, tx),
      }
    })
    await deps.queueJobs([job])
    return contact
  }

  /**
   * Undoes the latest merge. What was changed or written since stays with the contact that was kept.
   * @throws `not_found`; `contact_exists` where another contact has the other one's number now; `wrong_state` where it is too
   * late, or another contact was merged into this one since.
   */
  async function undo(ctx: Merger, keptId: string, otherId: string): Promise<Contact> {
    const { contact, job } = await transaction(async (tx) => {
      const kept = await contacts.readLive(ctx, keptId, tx)
      const [newest] = kept ? await contacts.mergedInto(ctx, keptId, tx) : []
      const other = isId(otherId) ? await contacts.read(ctx, otherId, tx) : null
      const { merged } = other ?? {}
      if (!kept || !other || merged?.id !== keptId) throw errors.notFound('There is no such merge.')
      if (newest && newest.id !== otherId)
        throw errors.wrongState(`${newest.name} was merged into this contact later. Undo that first.`)
      if (merged.at.getTime() + undoMs < now().getTime())
        throw errors.wrongState(`A merge can be undone for ${mergeUndoDays} days.`)
      const fields = fieldsBack(kept, merged, other.importIds)
      const apart = await checkFree(ctx, kept, fields, other, tx)
      const isOneLine = areOneLine(fields, merged.account)
      // A block of one way of writing a number is one of the other.
      const blocked = isOneLine ? { blocked: kept.blocked } : {}
      const line = lineAfter([kept], fields.phone)
      await write(ctx, kept, { ...absentAccount, ...fields, ...searchKeys(fields), ...blocked, line }, tx)
      const account = { ...other, ...merged.account }
      const lineAndBlock = { line: apart || isOneLine ? undefined : lineOf(account.phone), ...blocked }
      await write(
        ctx,
        other,
        { live: true, merged: undefined, ...merged.account, ...searchKeys(account), ...lineAndBlock },
        tx,
      )
      const [seenNow = kept] = await contacts.readMany(ctx, [keptId], tx)
      if (isOneLine) await consent.align(ctx, [seenNow], tx)
      else await write(ctx, seenNow, await consent.revoke(ctx, seenNow, merged, tx), tx)
      const parted = await threads.part(ctx, { keptId, otherId, account: accountOfMerge(merged) }, tx)
      return {
        contact: await emitChange(ctx, { keptId, otherId, threads: parted.threads, back: true }, tx),
        job: await move(ctx, { from: keptId, to: otherId, back: true, pairs: parted.pairs }, tx),
      }
    })
    await deps.queueJobs([job])
    return contact
  }

  /**
   * @param stays what the kept one has afterwards.
   * @returns whether another contact, which there was before the merge, has the other one's line.
   */
  async function checkFree(
    ctx: Merger,
    kept: ContactRecord,
    stays: Account,
    other: ContactRecord,
    tx: Tx,
  ): Promise<boolean> {
    const { phone, waUserId } = other.merged?.account ?? {}
    const isTaken = (by: Account) => (phone && by.phone === phone) || (waUserId && by.waUserId === waUserId)
    const found = await contacts.findBy(ctx, [{ phone, waUserId }], tx)
    const others = found.filter(({ id }) => id !== kept.id)
    const isOwner = (one: ContactRecord) => isTaken(one) || one.createdAt > (other.merged?.at ?? one.createdAt)
    const owner = isTaken(stays) && found.length > others.length ? kept : others.find(isOwner)
    if (!owner) return others.length > 0
    const message = `${owner.name} has the number of ${other.name} now. Change that first.`
    throw new AppError('contact_exists', message, { existing: { id: owner.id, name: owner.name } })
  }

  /** Lists the contacts that were merged into one, the latest first. @throws `not_found`. */
  async function list(scope: WorkspaceScope, keptId: string): Promise<{ items: MergedContact[] }> {
    await find(scope, keptId)
    const found = await contacts.mergedInto(scope, keptId)
    return {
      items: found.flatMap(({ id, name, merged }) => {
        if (!merged) return []
        const { at, account } = merged
        const undoUntil = new Date(at.getTime() + undoMs).toISOString()
        const phone = account.phone === undefined ? {} : { phone: account.phone }
        return [
          { id, name, ...phone, at: at.toISOString(), ...memberOf({ ...scope, userId: merged.memberId }), undoUntil },
        ]
      }),
    }
  }

  /**
   * Merges two contacts of whom WhatsApp has told that they are one person, unless something speaks against it. A number that is
   * known with another user id has changed hands.
   * @param account how they are reached from now on, where a notice has told it: then nothing speaks against it.
   */
  async function mergeIdentities(
    { workspaceId }: WorkspaceScope,
    kept: ContactRecord,
    other: ContactRecord,
    account?: Account,
  ): Promise<void> {
    if (!kept.live || !other.live || kept.id === other.id) return
    if (!account && haveTwoAccounts(...withOnePhone<Account>(kept, other, false))) return
    const taken = { name: !isNamed(kept) && isNamed(other), account: false, attributes: [] }
    const versions = { version: kept.version, otherVersion: other.version }
    await merge({ workspaceId }, kept.id, { otherId: other.id, taken, ...versions }, { account }).catch(
      (error: unknown) => {
        // People decide, or the next message does.
        if (!(error instanceof AppError)) throw error
      },
    )
  }

  return { merge, mergeIdentities, undo, list }
}
