import type { ImportFormat } from '@parley/contracts/contacts/import-files'
import { type CountryCode, type DigitsReading, phoneReadings } from '@parley/phone'
import { isBareDigits, plainNumber } from '@parley/phone/written-number'
import type { Batch } from './batches.ts'
import { isProblem } from './check-row.ts'
import type { OpenFile } from './file-text.ts'
import type { ImportPlan } from './import-plan.ts'
import type { ImportRecord } from './imports.model.ts'
import { recordsOf } from './open-file.ts'
import { numbersIn, phoneColumnsOf } from './phone-cells.ts'

/** Rows by which a column is judged. */
const maxJudgedRows = 2000
/** Fewer clear numbers than these say nothing of the unclear ones. */
const minClear = 3
const minMajority = 10

interface Evidence {
  national: number
  international: number
  either: number
}

/**
 * Decides how digits without a plus are read, for each column of phone numbers: as the person has said, by a header that says so
 * (`wa_id`, MSISDN), else as the numbers of the column that can be read in one way only, where these are many and agree.
 * @returns by the column's place; a column that cannot be judged is missing.
 */
export async function judgeDigits(
  open: OpenFile,
  format: ImportFormat,
  plan: ImportPlan,
  sizeBytes: number,
): Promise<ReadonlyMap<number, DigitsReading>> {
  const columns = phoneColumnsOf(plan.columns)
  const known = new Map<number, DigitsReading>()
  for (const { index, isInternational } of columns) {
    const digits = isInternational ? 'international' : plan.digits
    if (digits) known.set(index, digits)
  }
  const unjudged = columns.filter(({ index }) => !known.has(index))
  if (unjudged.length === 0) return known
  const counts = new Map(unjudged.map(({ index }) => [index, { national: 0, international: 0, either: 0 }]))
  let rows = -plan.headerRow
  read: for await (const { records } of recordsOf(open, format, sizeBytes)) {
    for (const { cells } of records) {
      rows += 1
      if (rows > maxJudgedRows) break read
      if (rows > 0) for (const [index, evidence] of counts) count(evidence, cells[index] ?? '', plan.country)
    }
  }
  for (const [index, evidence] of counts) {
    const digits = verdictOf(evidence)
    if (digits) known.set(index, digits)
  }
  return known
}

function count(evidence: Evidence, cell: string, country: CountryCode): void {
  for (const text of numbersIn(cell, country)) {
    if (!isBareDigits(plainNumber(text))) continue
    const { national, international } = phoneReadings(text, country)
    if (national && international) evidence.either += 1
    else if (national) evidence.national += 1
    else if (international) evidence.international += 1
  }
}

function verdictOf({ national, international, either }: Evidence): DigitsReading | undefined {
  const isMost = (some: number, others: number) => some >= minClear && some >= either && some >= others * minMajority
  if (isMost(national, international)) return 'national'
  return isMost(international, national) ? 'international' : undefined
}

/** Returns what an import reports of numbers that may be two different ones, with one batch more. */
export function unclearOf({ unclear }: Pick<ImportRecord, 'unclear'>, { rows }: Pick<Batch, 'rows'>) {
  const found = rows.filter((row) => row.unclear)
  const [first] = found
  if (!first?.unclear) return unclear
  const isLeftOut = found.some(isProblem) || unclear?.readAs === null
  const isAbroad = !isProblem(first) && first.phone?.slice(1) === first.unclear.international.replaceAll(/\D/g, '')
  const readAs = isLeftOut ? null : isAbroad ? ('international' as const) : ('national' as const)
  const example = { ...first.unclear, written: first.unclear.written.slice(0, 80) }
  return { ...example, ...unclear, count: (unclear?.count ?? 0) + found.length, readAs }
}
