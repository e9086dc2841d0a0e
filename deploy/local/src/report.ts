import { relative } from 'node:path'
import type { Component } from './component.ts'
import { repoRoot } from './paths.ts'

/** Returns a table of what runs: its address, whether it is the real thing, and where its data lies. */
export function componentsTable(components: readonly Component[], versions: ReadonlyMap<string, string>): string {
  const cells = components
    .toReversed()
    .map((component) => [
      component.label,
      component.address,
      describeKind(component, versions.get(component.name)),
      shortPath(component.dataAt),
    ])
  const rows = [['What', 'Address', 'Real or stand-in', 'Data'], ...cells]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.toSpliced(1, 0, widths.map((width) => '─'.repeat(width)).join('  ')).join('\n')
}

function describeKind({ kind, choice }: Component, version: string | undefined): string {
  if (choice?.source === 'environment') return `${kind}, from the environment`
  return version ? `${kind} (${version})` : kind
}

/** A path inside the checkout is shown from its root. */
export const shortPath = (path: string): string => (path.startsWith(repoRoot) ? relative(repoRoot, path) : path)

/** `1234.5` → `1.2 s`. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
