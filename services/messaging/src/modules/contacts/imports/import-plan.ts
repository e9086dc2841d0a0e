import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { ImportColumn } from '@parley/contracts/contacts/import-files'
import type { CountryCode, DigitsReading } from '@parley/phone'
import type { ImportRecord } from './imports.model.ts'

export interface PlannedColumn extends Pick<ImportColumn, 'header' | 'target'> {
  /** Set for an attribute that the workspace has defined. */
  readonly attribute?: Attribute | undefined
}

/** Rules by which the rows of a file become contacts. */
export interface ImportPlan extends Pick<ImportRecord, 'purpose' | 'tags' | 'allAgreed' | 'evidence'> {
  readonly columns: readonly PlannedColumn[]
  /** The row with the column names, from 1; 0 where none has them. */
  readonly headerRow: number
  /** Country of numbers that do not state theirs. */
  readonly country: CountryCode
  /** Member's choice for digits without a plus. */
  readonly digits: DigitsReading | null
  /** Reading of digits in each column, by its place. */
  readonly readings?: ReadonlyMap<number, DigitsReading>
}

/** Countries come from a list that the page offers; one that the library does not know helps with no number. */
export const planOf = (record: ImportRecord): ImportPlan => ({
  ...record,
  headerRow: record.headerRow,
  digits: record.digits,
  country: record.country as CountryCode,
})
