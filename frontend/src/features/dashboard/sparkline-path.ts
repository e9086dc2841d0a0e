/**
 * Paths of a sparkline in a box of the given size: the line, and the area below it. Empty below two values.
 * @param from what the bottom of the box stands for; the lowest value unless told.
 */
export function sparklinePath(
  values: readonly number[],
  { width, height, from }: { width: number; height: number; from?: number | undefined },
): { line: string; area: string } {
  if (values.length < 2) return { line: '', area: '' }
  const low = from ?? Math.min(...values)
  const range = Math.max(...values) - low
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    const y = range === 0 ? height / 2 : height - ((value - low) / range) * height
    return `${round(x)} ${round(y)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` }
}

const round = (value: number) => Math.round(value * 100) / 100
