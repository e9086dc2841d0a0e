import { relative } from 'node:path'
import type { Component } from './component.ts'
import { repoRoot } from './paths.ts'

/** Lays rows out in columns under headings, two spaces apart. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headings), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

/** What runs, its address, whether it is the real thing, and where its data lies. */
export function componentsTable(components: readonly Component[], versions: ReadonlyMap<string, string>): string {
  const rows = [...components]
    .reverse()
    .map((component) => [
      component.label,
      component.address,
      describeKind(component, versions.get(component.name)),
      shortPath(component.dataAt),
    ])
  return table(['What', 'Address', 'Real or stand-in', 'Data'], rows)
}

function describeKind(component: Component, version: string | undefined): string {
  if (component.kind === 'Parley') return 'Parley'
  if (component.choice?.source === 'environment') return `${component.kind}, from the environment`
  return version ? `${component.kind} (${version})` : component.kind
}

/** A path inside the checkout is shown from its root. */
export const shortPath = (path: string): string => (path.startsWith(repoRoot) ? relative(repoRoot, path) : path)

/** `1234.5` → `1.2 s`. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
