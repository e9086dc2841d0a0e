import type { ImportResult } from '@parley/contracts/contacts'
import type { Batch } from './batches.ts'
import type { ImportRow, RowProblem } from './check-row.ts'

/** What a run through the file came to: a dry run says what would happen. */
export interface Outcome {
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly problems: readonly RowProblem[]
  /** What an undo removes; empty after a dry run. */
  readonly createdIds: readonly string[]
  /** 0–100, by how far the file was read. */
  readonly percent: number
}

export const noOutcome: Outcome = { created: 0, updated: 0, skipped: 0, problems: [], createdIds: [], percent: 0 }

/** Adds up one batch and what became of its rows. The server may refuse a row that the page has let pass. */
export function withBatch(
  before: Outcome,
  { rows, problems, bytes }: Batch,
  results: ImportResult['rows'],
  sizeBytes: number,
): Outcome {
  const count = (outcome: ImportResult['rows'][number]['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const refused = results.filter(({ outcome }) => outcome === 'invalid')
  return {
    created: before.created + count('created'),
    updated: before.updated + count('updated'),
    skipped: before.skipped + count('skipped'),
    problems: [...before.problems, ...problems, ...refused.map((result) => problemOf(result, rows))].sort(
      (left, right) => left.line - right.line,
    ),
    createdIds: [
      ...before.createdIds,
      ...results.flatMap(({ outcome, id }) => (outcome === 'created' && id ? [id] : [])),
    ],
    percent: Math.max(before.percent, Math.min(100, Math.floor((bytes / Math.max(1, sizeBytes)) * 100))),
  }
}

const problemOf = ({ line, message }: ImportResult['rows'][number], rows: readonly ImportRow[]): RowProblem => ({
  line,
  value: rows.find((row) => row.line === line)?.phone ?? '',
  reason: message ?? 'The row was refused.',
})
