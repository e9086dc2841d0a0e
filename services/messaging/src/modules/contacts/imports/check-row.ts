import { waUserIdPattern } from '@parley/contracts/core/wa-user-id'
import { lineKey } from '@parley/phone/line'
import { readAnswer } from '../consent/consent-answers.ts'
import { attributesOf, cellsFor, otherPhones, shown, tagsOf, textAt } from './detail-cells.ts'
import type { ImportPlan, PlannedColumn } from './import-plan.ts'
import { hasLetters, type NameColumn, nameColumnsOf, readRowName } from './name-cells.ts'
import type { NumberLines } from './number-lines.ts'
import { type PhoneColumn, phoneColumnsOf, provenForm, readRowPhone, type UnclearNumber } from './phone-cells.ts'
import type { FileRecord } from './records.ts'

/** Contact data of a row. */
export interface CheckedRow {
  readonly line: number
  /** Name; empty where the row has none, which is fine for a contact that is known. */
  readonly name: string
  /** Phone number in E.164. A row has it, or the user id, or both. */
  readonly phone?: string
  /** Business-scoped user id. */
  readonly waUserId?: string
  readonly tags: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
  readonly consent?: 'in' | 'out'
  /** A cell that could not be read, and what the row does without it. */
  readonly unread?: { readonly value: string; readonly reason: string }
  /** Parts of the row that are left out, with the reasons. */
  readonly notes: readonly string[]
  /** The number may be a different one. */
  readonly unclear?: UnclearNumber
  /** Number that cannot exist by today's rules: it counts only where a contact is stored under it, or in its form of today. */
  readonly unproven?: { readonly value: string; readonly reason: string; readonly form?: string }
}

/** Reason why a row is left out. */
export interface RowProblem {
  readonly line: number
  readonly name: string
  /** The cell that is wrong, as it is in the file. */
  readonly value: string
  readonly reason: string
  /** The number may be one of these two. */
  readonly unclear?: UnclearNumber
}

const maxName = 120
const neitherYesNorNo = 'The consent is neither yes nor no: none is recorded.'

/** The lines of whom a file has had so far. */
export interface SeenPeople {
  readonly phones: NumberLines
  readonly userIds: Map<string, number>
}

/**
 * Reads one record as a contact. What is wrong with a detail costs the detail, what is wrong with the name or the number the row.
 * @param seen whom the file has had so far; the row's own contact is added.
 */
export function checkRow(record: FileRecord, plan: ImportPlan, seen: SeenPeople): CheckedRow | RowProblem {
  const { line, cells } = record
  const { names, phones } = orderOf(plan.columns)
  const at = (index: number) => textAt(cells, index)
  const name = readRowName(names, at)
  const problem = (value: string, reason: string, unclear?: UnclearNumber): RowProblem => ({
    line,
    name: name.slice(0, maxName),
    value: shown(value),
    reason,
    ...(unclear && { unclear }),
  })
  if (name === '' && plan.purpose !== 'update') return problem('', 'The name is missing.')
  if (name.length > maxName) return problem(name, 'A name has at most 120 characters.')

  const callingCode = plan.columns.findIndex(({ target }) => target === 'calling_code')
  const read = readRowPhone(phones, at, {
    country: plan.country,
    digits: plan.readings ?? new Map(),
    callingCode: cells[callingCode]?.trim() ?? '',
  })
  const { written, phone } = read
  const userId = cellsFor('user_id', cells, plan)[0]
  const waUserId = userId !== undefined && waUserIdPattern.test(userId) ? userId : undefined
  if (phone === undefined && (written !== '' || waUserId === undefined)) {
    if (written === '' && userId !== undefined) return problem(userId, 'This is not a WhatsApp user id.')
    return problem(written, read.reason ?? missingPhone(plan), read.unclear)
  }

  const notes = [...(record.notes ?? [])]
  if (userId !== undefined && waUserId === undefined) notes.push(`${shown(userId)} is not a WhatsApp user id.`)
  if (!hasLetters(name) && name !== '')
    notes.push('The name has no letters: the file may have been saved in another encoding.')
  const extra = cells.slice(plan.columns.length).filter((cell) => cell.trim() !== '')
  if (extra.length > 0) notes.push(`There is no column for ${shown(extra.join(', '))}.`)
  const tags = tagsOf(cells, plan, notes)
  const attributes = { ...attributesOf(cells, plan, notes), ...otherPhones(cells, plan, read) }

  const answer = cellsFor('consent', cells, plan)[0] ?? ''
  const consent = plan.allAgreed ? 'in' : readAnswer(answer)

  const form = phone !== undefined && read.unproven ? provenForm(phone) : undefined
  const key = phone === undefined ? undefined : Number(lineKey(phone).slice(1))
  const before = key === undefined ? undefined : seen.phones.get(key)
  if (before !== undefined) return problem(written, `The same phone number is on line ${before}.`)
  const idBefore = waUserId === undefined ? undefined : seen.userIds.get(waUserId)
  if (idBefore !== undefined) return problem(waUserId ?? '', `The same WhatsApp user id is on line ${idBefore}.`)
  if (key !== undefined) seen.phones.set(key, line)
  if (waUserId !== undefined) seen.userIds.set(waUserId, line)
  // The importer may state it for every contact; an unknown word is no consent.
  const unread =
    answer !== '' && consent === undefined ? { unread: { value: shown(answer), reason: neitherYesNorNo } } : {}
  return {
    line,
    name,
    ...(phone !== undefined && { phone }),
    ...(waUserId !== undefined && { waUserId }),
    tags,
    attributes,
    ...(consent && { consent }),
    ...unread,
    notes,
    ...(read.unclear && { unclear: read.unclear }),
    ...(read.unproven && { unproven: { value: shown(written), reason: read.reason ?? '', ...(form && { form }) } }),
  }
}

/** The columns of a plan in the order in which they are read, made once for all rows. */
const orders = new WeakMap<readonly PlannedColumn[], { names: NameColumn[]; phones: PhoneColumn[] }>()
function orderOf(columns: readonly PlannedColumn[]) {
  const order = orders.get(columns) ?? { names: nameColumnsOf(columns), phones: phoneColumnsOf(columns) }
  orders.set(columns, order)
  return order
}

export const isProblem = (row: CheckedRow | RowProblem): row is RowProblem => 'reason' in row

const missingPhone = ({ columns }: ImportPlan): string =>
  columns.some(({ target }) => target === 'user_id')
    ? 'The row has neither a phone number nor a WhatsApp user id.'
    : 'The phone number is missing.'
