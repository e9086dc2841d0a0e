import { tagNameSchema } from '@parley/contracts/contacts'
import { type CountryCode, parsePhone } from '@parley/phone'
import { cellText } from '../csv-cells.ts'
import type { Column } from './columns.ts'
import type { FileRecord } from './records.ts'

/** How the rows of a file become contacts. */
export interface ImportPlan {
  readonly columns: readonly Pick<Column, 'header' | 'target'>[]
  readonly withHeader: boolean
  /** For numbers that do not say theirs. */
  readonly country: CountryCode
  /** Every contact of the file gets these. */
  readonly tags: readonly string[]
}

export interface ImportRow {
  readonly line: number
  readonly name: string
  readonly phone: string
  readonly tags: string[]
  readonly attributes: Record<string, string>
}

/** Why a row is left out. */
export interface RowProblem {
  readonly line: number
  /** The cell that is wrong, as it stands in the file. */
  readonly value: string
  readonly reason: string
}

const mostTags = 50
const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/**
 * Reads one record as a contact.
 * @param seen phone numbers of the file so far with their lines; the row's own is added.
 */
export function checkRow(record: FileRecord, plan: ImportPlan, seen: Map<string, number>): ImportRow | RowProblem {
  const { line, cells } = record
  const problem = (value: string, reason: string): RowProblem => ({ line, value: shown(value), reason })
  const extra = cells.slice(plan.columns.length).find((cell) => cell.trim() !== '')
  if (extra !== undefined)
    return problem(extra, `This row has ${cells.length} cells, but there are ${plan.columns.length} columns.`)

  const read = (target: Column['target']) =>
    plan.columns.flatMap((column, place) =>
      column.target === target ? [{ ...column, cell: textAt(cells, place) }] : [],
    )
  const joined = (target: Column['target']) =>
    read(target)
      .map(({ cell }) => cell)
      .filter(Boolean)

  const name = joined('name').join(' ').replace(/\s+/g, ' ')
  if (name === '') return problem('', 'The name is missing.')
  if (name.length > 120) return problem(name, 'A name has at most 120 characters.')
  const written = joined('phone')[0] ?? ''
  const phone = readPhone(written, plan.country)
  if (!phone) return problem(written, phoneReason(written))
  const tags = [
    ...new Set(
      [...joined('tags').flatMap((cell) => cell.split(/[,;|]/)), ...plan.tags].map((tag) => tag.trim()).filter(Boolean),
    ),
  ]
  const badTag = tags.find((tag) => !tagNameSchema.safeParse(tag).success)
  if (badTag !== undefined) return problem(badTag, 'A tag has at most 40 characters.')
  if (tags.length > mostTags) return problem(tags.join(', '), 'A contact has at most 50 tags.')
  const attributes = Object.fromEntries(
    read('attribute').flatMap(({ header, cell }) => (cell === '' ? [] : [[attributeName(header), cell]])),
  )
  const longest = Object.values(attributes).find((value) => value.length > 1000)
  if (longest !== undefined) return problem(longest, 'A cell has at most 1,000 characters.')

  const before = seen.get(phone)
  if (before !== undefined) return problem(written, `The same phone number is on line ${before}.`)
  seen.set(phone, line)
  return { line, name, phone, tags, attributes }
}

export const isProblem = (row: ImportRow | RowProblem): row is RowProblem => 'reason' in row

/** The form's own detail keeps its name, however the file writes it. */
const attributeName = (header: string) => (header.toLowerCase() === 'city' ? 'city' : header.slice(0, 64))

const textAt = (cells: readonly string[], place: number) => cellText(cells[place]?.trim() ?? '').trim()

const readPhone = (written: string, country: CountryCode): string | undefined =>
  written.length > 100 ? undefined : parsePhone(written.replace(/^00/, '+'), country)?.e164

function phoneReason(written: string): string {
  if (written === '') return 'The phone number is missing.'
  if (/^\d[.,]\d+E\+\d+$/i.test(written))
    return 'A spreadsheet has shortened this number. Format its column as text and save the file again.'
  return 'This is not a valid phone number.'
}
