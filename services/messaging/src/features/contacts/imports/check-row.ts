import { type Attribute, attributeValue } from '@parley/contracts/contact-attributes'
import { mostTags, tagNameSchema, waUserIdPattern } from '@parley/contracts/contacts'
import { cellText } from '@parley/contracts/csv-cells'
import type { ImportColumn } from '@parley/contracts/imports'
import { type CountryCode, parsePhone } from '@parley/phone'
import { readAnswer } from '../../consent/consent-answers.ts'
import type { ImportRecord } from './imports.model.ts'
import type { NumberLines } from './number-lines.ts'
import type { FileRecord } from './records.ts'

interface PlannedColumn extends Pick<ImportColumn, 'header' | 'target'> {
  /** Of an attribute that the workspace has defined. */
  readonly attribute?: Attribute | undefined
}

/** How the rows of a file become contacts. */
export interface ImportPlan extends Pick<ImportRecord, 'withHeader' | 'purpose' | 'tags' | 'allAgreed' | 'evidence'> {
  readonly columns: readonly PlannedColumn[]
  /** For numbers that do not say theirs. */
  readonly country: CountryCode
}

/** What a row says of a contact. */
export interface CheckedRow {
  readonly line: number
  /** Empty where the row has none: fine for a contact that is known. */
  readonly name: string
  /** E.164. A row has it, or the user id, or both. */
  readonly phone?: string
  /** Business-scoped user id. */
  readonly waUserId?: string
  readonly tags: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
  readonly consent?: 'in' | 'out'
  /** A cell that could not be read, and what the row does without it. */
  readonly unread?: { readonly value: string; readonly reason: string }
}

/** Why a row is left out. */
export interface RowProblem {
  readonly line: number
  readonly name: string
  /** The cell that is wrong, as it stands in the file. */
  readonly value: string
  readonly reason: string
}

const longestName = 120
const neitherYesNorNo = 'The consent is neither yes nor no: none is recorded.'
const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** The lines of whom a file has had so far. */
export interface SeenPeople {
  readonly phones: NumberLines
  readonly userIds: Map<string, number>
}

/**
 * Reads one record as a contact.
 * @param seen whom the file has had so far; the row's own contact is added.
 */
export function checkRow(record: FileRecord, plan: ImportPlan, seen: SeenPeople): CheckedRow | RowProblem {
  const { line, cells } = record
  const name = cellsFor('name', cells, plan).join(' ').replace(/\s+/g, ' ')
  const problem = (value: string, reason: string): RowProblem => ({
    line,
    name: name.slice(0, longestName),
    value: shown(value),
    reason,
  })
  const extra = cells.slice(plan.columns.length).find((cell) => cell.trim() !== '')
  if (extra !== undefined)
    return problem(extra, `This row has ${cells.length} cells, but there are ${plan.columns.length} columns.`)
  if (name === '' && plan.purpose !== 'update') return problem('', 'The name is missing.')
  if (name.length > longestName) return problem(name, 'A name has at most 120 characters.')

  const written = cellsFor('phone', cells, plan)[0] ?? ''
  const phone = readPhone(written, plan.country)
  const waUserId = cellsFor('user_id', cells, plan)[0]
  if (written === '' ? waUserId === undefined : !phone) return problem(written, phoneReason(written, plan))
  if (waUserId !== undefined && !waUserIdPattern.test(waUserId))
    return problem(waUserId, 'This is not a WhatsApp user id.')

  const tagCells = cellsFor('tags', cells, plan).flatMap((cell) => cell.split(/[,;|]/))
  const tags = [...new Set([...tagCells, ...plan.tags].map((tag) => tag.trim()).filter(Boolean))]
  const badTag = tags.find((tag) => !tagNameSchema.safeParse(tag).success)
  if (badTag !== undefined) return problem(badTag, 'A tag has at most 40 characters.')
  if (tags.length > mostTags) return problem(tags.join(', '), 'A contact has at most 50 tags.')

  const { attributes, wrong } = attributesOf(cells, plan)
  if (wrong) return problem(wrong.cell, wrong.reason)

  const answer = cellsFor('consent', cells, plan)[0] ?? ''
  const consent = plan.allAgreed ? 'in' : readAnswer(answer)

  const key = phone === undefined ? undefined : Number(phone.slice(1))
  const before = key === undefined ? undefined : seen.phones.get(key)
  if (before !== undefined) return problem(written, `The same phone number is on line ${before}.`)
  const idBefore = waUserId === undefined ? undefined : seen.userIds.get(waUserId)
  if (idBefore !== undefined) return problem(waUserId ?? '', `The same WhatsApp user id is on line ${idBefore}.`)
  if (key !== undefined) seen.phones.set(key, line)
  if (waUserId !== undefined) seen.userIds.set(waUserId, line)
  const identity = { ...(phone !== undefined && { phone }), ...(waUserId !== undefined && { waUserId }) }
  // Who imports may say it of everybody; a word that nobody knows is no consent.
  const unread =
    answer !== '' && consent === undefined ? { unread: { value: shown(answer), reason: neitherYesNorNo } } : {}
  return { line, name, ...identity, tags, attributes, ...(consent && { consent }), ...unread }
}

export const isProblem = (row: CheckedRow | RowProblem): row is RowProblem => 'reason' in row

/** What stands in the columns of one meaning, without empty cells. */
function cellsFor(target: ImportColumn['target'], cells: readonly string[], { columns }: ImportPlan): string[] {
  const found: string[] = []
  for (const [place, column] of columns.entries()) {
    if (column.target !== target) continue
    const cell = textAt(cells, place)
    if (cell !== '') found.push(cell)
  }
  return found
}

interface Attributes {
  readonly attributes: Readonly<Record<string, string>>
  /** The first cell that does not fit its field. */
  readonly wrong?: { readonly cell: string; readonly reason: string }
}

function attributesOf(cells: readonly string[], { columns }: ImportPlan): Attributes {
  const found: [string, string][] = []
  for (const [place, { header, target, attribute }] of columns.entries()) {
    const cell = target === 'attribute' ? textAt(cells, place) : ''
    if (cell === '') continue
    const read = attributeValue(attribute ?? { label: 'A cell', type: 'text', choices: [] }, cell)
    if ('problem' in read) return { attributes: {}, wrong: { cell, reason: read.problem } }
    found.push([attribute?.name ?? attributeName(header), read.value])
  }
  return { attributes: Object.fromEntries(found) }
}

/** The form's own detail keeps its name, however the file writes it. */
const attributeName = (header: string) => (header.toLowerCase() === 'city' ? 'city' : header.slice(0, 64))

const textAt = (cells: readonly string[], place: number) => cellText(cells[place]?.trim() ?? '').trim()

const readPhone = (written: string, country: CountryCode): string | undefined =>
  written.length > 100 ? undefined : parsePhone(written.replace(/^00/, '+'), country)?.e164

function phoneReason(written: string, { columns }: ImportPlan): string {
  if (written === '')
    return columns.some(({ target }) => target === 'user_id')
      ? 'The row has neither a phone number nor a WhatsApp user id.'
      : 'The phone number is missing.'
  if (/^\d[.,]\d+E\+\d+$/i.test(written))
    return 'A spreadsheet has shortened this number. Format its column as text and save the file again.'
  return 'This is not a valid phone number.'
}
