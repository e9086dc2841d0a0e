import { type Report, remarksOf } from './report.ts'

/** The run as a table for a terminal. */
export function textSummary(report: Report): string {
  const { shape, purpose, target, seconds, passed, operations, journeys, requests } = report
  const rows = operations.map(({ name, count, perSecond, p50, p95, p99, failedRate, limited, limits }) => [
    name,
    String(count),
    perSecond.toFixed(1),
    ...[p50, p95, p99].map((ms) => (count > 0 ? ms.toFixed(0) : '–')),
    count > 0 ? `${(failedRate * 100).toFixed(2)} %` : '–',
    String(limited),
    limits
      .filter(({ ok }) => !ok)
      .map(({ rule }) => `✗ ${rule}`)
      .join(' ') || (count > 0 ? '✓' : ''),
  ])
  const head = ['operation', 'count', '/s', 'p50 ms', 'p95 ms', 'p99 ms', 'failed', '429', 'limits']
  return `
${shape} on ${target}: ${purpose}
${journeys} journeys, ${requests} requests, ${seconds} s

${columns([head, ...rows])}

${[...remarksOf(report), passed ? '✓ passed' : '✗ failed: at least one limit was broken'].join('\n')}
`
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isText = (column: number) => column === 0 || column === widths.length - 1
  const cell = (text: string, column: number) =>
    isText(column) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}
