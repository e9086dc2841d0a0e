import { attributeValue } from '@parley/contracts/contacts/contact-attributes'
import type { ImportColumn } from '@parley/contracts/contacts/import-files'
import { maxTags, tagNameSchema } from '@parley/contracts/contacts/tags'
import { cellText } from '@parley/rules/csv-cells'
import { meaningOf } from './header-names.ts'
import type { ImportPlan } from './import-plan.ts'
import type { RowPhone } from './phone-cells.ts'

/** Returns the cells of the columns of one meaning, without empty ones. */
export function cellsFor(target: ImportColumn['target'], cells: readonly string[], { columns }: ImportPlan): string[] {
  const found: string[] = []
  for (const [index, column] of columns.entries()) {
    if (column.target !== target) continue
    const cell = textAt(cells, index)
    if (cell !== '') found.push(cell)
  }
  return found
}

/** Shortens a cell to the length that fits a sentence. */
export const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** Cells with several tags part them by these. Google marks its own groups with a star. */
export function tagsOf(cells: readonly string[], plan: ImportPlan, notes: string[]): string[] {
  const written = cellsFor('tags', cells, plan).flatMap((cell) => cell.split(/:::|[,;|\n]/))
  const cellTags = written
    .map((tag) => tag.replace(/^\s*\* /, '').trim())
    .filter((tag) => !googleGroups.has(tag) && !/^\?+$/.test(tag))
  const tags = [...new Set([...cellTags, ...plan.tags].map((tag) => tag.trim()).filter(Boolean))]
  const [fitting, long] = [
    tags.filter((tag) => tagNameSchema.safeParse(tag).success),
    tags.filter((tag) => !tagNameSchema.safeParse(tag).success),
  ]
  for (const tag of long) notes.push(`The tag ${shown(tag)} has more than 40 characters.`)
  if (fitting.length > maxTags) notes.push(`A contact has at most ${maxTags} tags: the others are left out.`)
  return fitting.slice(0, maxTags)
}
const googleGroups = new Set(['myContacts', 'starred', 'My Contacts', 'Starred in Android'])

export function attributesOf(
  cells: readonly string[],
  { columns }: ImportPlan,
  notes: string[],
): Readonly<Record<string, string>> {
  const found: [string, string][] = []
  for (const [index, { header, target, attribute }] of columns.entries()) {
    const cell = target === 'attribute' ? textAt(cells, index) : ''
    if (cell === '') continue
    const read = attributeValue(attribute ?? untyped, cell)
    if ('problem' in read) {
      notes.push(`${shown(cell)}: ${read.problem}`)
      continue
    }
    // Days are written in one way, whatever their source, also before a member has said that they are days.
    const asDay = attribute === undefined && meaningOf(header)?.kind === 'day' ? attributeValue(day, cell) : read
    if ('problem' in asDay && /^\d{5}(\.0+)?$/.test(cell)) notes.push(`${header.slice(0, 60)}: ${asDay.problem}`)
    found.push([attribute?.name ?? attributeName(header), 'value' in asDay ? asDay.value : read.value])
  }
  return Object.fromEntries(found)
}
const untyped = { label: 'A cell', type: 'text' as const, choices: [] }
const day = { label: 'It', type: 'date' as const, choices: [] }

/** Numbers beside the one that was taken stay as details, as they are written. */
export function otherPhones(
  cells: readonly string[],
  { columns }: ImportPlan,
  { others, places }: RowPhone,
): Record<string, string> {
  const found = places.map((index): [string, string] => [
    columns[index]?.attribute?.name ?? attributeName(columns[index]?.header ?? ''),
    textAt(cells, index).slice(0, 1000),
  ])
  return { ...Object.fromEntries(found), ...(others.length > 0 && { 'Other phone': others.join(', ').slice(0, 1000) }) }
}

/** The form's own detail keeps its name, however the file writes it. */
const attributeName = (header: string) => (header.toLowerCase() === 'city' ? 'city' : header.slice(0, 64))

/** Matches the placeholders that programs write for missing values. */
const nothing = /^(NA|N\/A|#N\/A|<NA>|NaN|nan|NaT|NULL|null|None|\\N)$/

export function textAt(cells: readonly string[], index: number): string {
  const text = cellText(cells[index]?.trim() ?? '').trim()
  return nothing.test(text) ? '' : text
}
