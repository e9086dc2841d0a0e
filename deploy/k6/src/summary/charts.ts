import type { Report } from './report.ts'

const width = 720

/** Text for HTML and SVG. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** A round number at or above, for the end of an axis. */
export function niceCeiling(value: number): number {
  if (!(value > 0)) return 1
  const magnitude = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 2.5, 5, 10].find((candidate) => candidate * magnitude >= value) ?? 10
  return step * magnitude
}

export const milliseconds = (ms: number): string => (ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(0)} ms`)

/** Bars of p50, p95 and p99 for each operation, and a mark where the limit of p95 is. */
export function latencyBars({ operations }: Report): string {
  const measured = operations.filter(({ count }) => count > 0)
  const [rowHeight, left, right] = [52, 130, 70]
  const most = niceCeiling(Math.max(...measured.map(({ p99 }) => p99)))
  const scale = (ms: number) => (Math.min(ms, most) / most) * (width - left - right)
  const height = measured.length * rowHeight + 24
  const rows = measured.map(({ name, p50, p95, p99, limits }, row) => {
    const top = row * rowHeight + 6
    const bars = [p50, p95, p99].map((ms, bar) => {
      const y = top + bar * 13
      return `<rect class="p${bar}" x="${left}" y="${y}" width="${Math.max(1, scale(ms)).toFixed(1)}" height="11" rx="2"/><text class="value" x="${(left + scale(ms) + 5).toFixed(1)}" y="${y + 9}">${milliseconds(ms)}</text>`
    })
    const limit = Number(/p\(95\)<(\d+)/.exec(limits.map(({ rule }) => rule).join(' '))?.[1])
    const mark =
      limit > 0 && limit <= most
        ? `<line class="limit" x1="${(left + scale(limit)).toFixed(1)}" x2="${(left + scale(limit)).toFixed(1)}" y1="${top - 2}" y2="${top + 41}"/>`
        : ''
    return `<text class="name" x="${left - 10}" y="${top + 22}" text-anchor="end">${escaped(name)}</text>${mark}${bars.join('')}`
  })
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Latency of each operation: p50, p95 and p99">${rows.join('')}</svg>`
}

interface Series {
  readonly title: string
  readonly values: readonly (number | undefined)[]
  readonly format: (value: number) => string
  /** Name of the colour in the page's style. */
  readonly kind: string
  readonly seconds: number
}

/** One figure over the length of the run. */
export function lineChart({ title, values, format, kind, seconds }: Series): string {
  const [height, left, bottom, top] = [170, 62, 24, 10]
  const most = niceCeiling(Math.max(...values.map((value) => value ?? 0)))
  const x = (index: number) => left + ((index + 0.5) / values.length) * (width - left - 10)
  const y = (value: number) => top + (1 - value / most) * (height - top - bottom)
  const points = values.flatMap((value, index) =>
    value === undefined ? [] : [`${x(index).toFixed(1)},${y(value).toFixed(1)}`],
  )
  const grid = [0, 0.5, 1].map((share) => {
    const at = y(most * share).toFixed(1)
    return `<line class="grid" x1="${left}" x2="${width - 10}" y1="${at}" y2="${at}"/><text class="axis" x="${left - 8}" y="${Number(at) + 4}" text-anchor="end">${format(most * share)}</text>`
  })
  const times = [0, 0.5, 1].map((share, index) => {
    const at = left + share * (width - left - 10)
    return `<text class="axis" x="${at}" y="${height - 6}" text-anchor="${['start', 'middle', 'end'][index]}">${clock(seconds * share)}</text>`
  })
  const dots = points.map(
    (point) => `<circle class="${kind}" cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3"/>`,
  )
  return `<figure><figcaption>${escaped(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)} over the run">${grid.join('')}${times.join('')}<polyline class="line ${kind}" points="${points.join(' ')}"/>${dots.join('')}</svg></figure>`
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')} min`
