import { createHash } from 'node:crypto'
import type { contactSelectionSchema } from '@parley/contracts/contacts/contacts'
import { countOf } from '@parley/contracts/core/english-format'
import type { Approval, AskedAction } from '@parley/contracts/platform/approvals'
import { describeConditions } from '@parley/rules/describe-conditions'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { z } from 'zod'
import type { ApprovalRulesService } from '../../approvals/approval-rules.service.ts'
import { peopleText } from '../../approvals/approval-texts.ts'
import type { Approvals, AskedNow, AskedSubject } from '../../approvals/approvals.service.ts'
import type { AttributesService } from '../attributes/attributes.service.ts'
import type { ContactListsService } from '../contact-lists.service.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import type { ImportsRepository } from '../imports/imports.repository.ts'
import type { SegmentsService } from '../segments/segments.service.ts'

type Selection = z.output<typeof contactSelectionSchema>
type SelectionAction = Exclude<AskedAction, { kind: 'number_removal' }>
export type SelectionApprovals = ReturnType<typeof createSelectionApprovals>

interface Dependencies {
  readonly approvals: Pick<Approvals, 'ask' | 'approved' | 'take' | 'refuse'>
  readonly approvalRules: Pick<ApprovalRulesService, 'read'>
  readonly contacts: Pick<ContactsRepository, 'count'>
  readonly lists: Pick<ContactListsService, 'partsOfSelection'>
  readonly segments: Pick<SegmentsService, 'find'>
  readonly imports: Pick<ImportsRepository, 'read'>
  readonly attributes: Pick<AttributesService, 'labels'>
}

/** Bounds of an action, and what takes its approval in the transaction that begins it. */
export interface Allowed {
  /** Ids after it are no part of what was approved; absent where no approval was needed. */
  readonly upTo?: string
  /** Contacts that it is done to at most, whatever its selection has become by then; absent where there is no rule. */
  readonly maxContacts?: number
  readonly take: (tx: Pick<Tx, 'session'>) => Promise<void>
}

/** The selection has grown since its contacts were counted: what is done stops before those that were not allowed. */
export const moreThanAllowed = () =>
  new AppError('approval_required', 'More contacts matched than when it was started. Start it again.')

/** Returns an id that no id given until the end of this second exceeds: within one second ids are in no order. */
export const lastIdOf = (now: Date): string =>
  `${Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0')}${'f'.repeat(16)}`

/** Approvals of what is done to many contacts: their export, their deletion. */
export function createSelectionApprovals(deps: Dependencies) {
  const { approvals, approvalRules, contacts, lists, segments, imports, attributes } = deps

  /** Counts contacts of a selection that were there at a moment, up to a limit. */
  async function count(scope: WorkspaceScope, selection: Selection, of: { upTo?: string; limit?: number } = {}) {
    const { upTo, ...limits } = of
    const parts = await lists.partsOfSelection(scope, selection)
    const known = upTo === undefined ? [] : [{ filter: { _id: { $lte: upTo } } }]
    return (await contacts.count(scope, [...parts, ...known], limits)) ?? 0
  }

  async function limitOf(scope: WorkspaceScope, kind: SelectionAction['kind']): Promise<number | null> {
    const { exportedContacts, deletedContacts } = await approvalRules.read(scope)
    return kind === 'contact_export' ? exportedContacts : deletedContacts
  }

  /** @throws `not_found` for a segment that is gone; `wrong_state` where no approval is needed, or nobody else could give it. */
  async function ask(ctx: UserContext, action: SelectionAction, note: string): Promise<Approval> {
    const { kind, selection } = action
    const limit = await limitOf(ctx, kind)
    const upTo = lastIdOf(new Date())
    const found = await count(ctx, selection, { upTo })
    if (limit === null || found <= limit)
      throw errors.wrongState(`No approval is needed for ${peopleText(found, 'contact')}.`)
    const describe = async () => {
      const [filter, conditions] = [await wordsFor(ctx, selection), await conditionsOf(ctx, selection)]
      const asked: AskedSubject = { ...plain(action), contacts: found, filter, conditions, upTo }
      return { asked }
    }
    return approvals.ask(ctx, { place: { key: keyOf(kind, selection) }, note, describe })
  }

  /** @throws `approval_required`, with what to do next; `not_found` for a segment that is gone. */
  async function require(scope: WorkspaceScope, kind: SelectionAction['kind'], selection: Selection): Promise<Allowed> {
    const limit = await limitOf(scope, kind)
    const take = async () => undefined
    if (limit === null) return { take }
    if ((await count(scope, selection, { limit: limit + 1 })) <= limit) return { maxContacts: limit, take }
    const what = kind === 'contact_export' ? 'Exports' : 'Deletions'
    const rule = `${what} of more than ${peopleText(limit, 'contact')} need the approval of a second member.`
    const approval = await approvals.approved(scope, { key: keyOf(kind, selection) }, rule)
    const { asked } = approval
    if (!asked || asked.kind === 'number_removal') throw errors.internal()
    const { upTo, contacts: approved } = asked
    const found = await count(scope, selection, { upTo, limit: approved + 1 })
    if (found > approved)
      return approvals.refuse(
        scope,
        approval,
        `More contacts are selected now than the ${countOf(approved)} at the request.`,
      )
    return { upTo, maxContacts: approved, take: (tx) => approvals.take(scope, approval, tx) }
  }

  /** Tells what became of the segment that a request names. */
  async function selectionNow(scope: WorkspaceScope, { selection, conditions }: SelectedAs): Promise<AskedNow> {
    try {
      const isSame = (await conditionsOf(scope, selection)) === conditions
      return isSame ? {} : { changed: 'The conditions of its segment were changed after the request.' }
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return { changed: 'Its segment was deleted.' }
      throw error
    }
  }

  /** Returns the digest of a segment's conditions; empty where the selection names none. */
  async function conditionsOf(scope: WorkspaceScope, selection: Selection): Promise<string> {
    if (!('filter' in selection) || selection.filter.segment === undefined) return ''
    return digestOf((await segments.find(scope, selection.filter.segment)).filter)
  }

  /** `Search “tea”, tag vip or tea, segment Regulars, in touch within 7 days, and: City is Pune` */
  async function wordsFor(scope: WorkspaceScope, selection: Selection): Promise<string> {
    if ('ids' in selection) return 'Chosen one by one'
    const { q, tags, segment, import: importId, lastContact, conditions } = selection.filter
    const words = [
      ...(q ? [`Search “${q}”`] : []),
      ...(tags && tags.length > 0 ? [`Tag ${tags.join(' or ')}`] : []),
      ...(segment === undefined ? [] : [`Segment ${(await segments.find(scope, segment)).name}`]),
      ...(importId === undefined ? [] : [`Import ${(await imports.read(scope, importId))?.fileName ?? ''}`.trim()]),
      ...(lastContact === undefined ? [] : [contactRanges[lastContact]]),
      ...(conditions ? [describeConditions(conditions, await attributes.labels(scope))] : []),
    ]
    return words.length > 0 ? words.join(' · ').slice(0, maxWords) : 'All contacts'
  }

  return { ask, require, selectionNow }
}

type SelectedAs = Extract<AskedSubject, { selection: unknown }>

const maxWords = 600
const contactRanges = {
  '7d': 'Last contact within 7 days',
  '30d': 'Last contact within 30 days',
  '90d': 'Last contact within 90 days',
  older: 'Last contact more than 90 days ago',
  never: 'Never in touch',
} as const

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** Names a selection: the contract gives its fields one order; the order of ids and tags means nothing. */
function keyOf(kind: SelectionAction['kind'], selection: Selection): string {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort()
  if ('ids' in selection) return `${kind}:${digestOf(sorted(selection.ids))}`
  const { tags, ...filter } = selection.filter
  return `${kind}:${digestOf({ ...filter, ...(tags && { tags: sorted(tags) }) })}`
}

/** The same without what is undefined, which MongoDB would store as null. */
const plain = <T extends object>(action: T): T => JSON.parse(JSON.stringify(action))
