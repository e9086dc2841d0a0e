import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Meta's own examples, where a collection of them is named: they are not part of the project. */
const folder =
  process.env['WHATSAPP_FIXTURES'] ??
  join(import.meta.dirname, '../../../../..', 'shared', 'reference/whatsapp/fixtures')

/** True where the examples are there. */
export const hasExamples = existsSync(folder)
/** Reason why a suite of them does not run. */
export const reason = hasExamples ? '' : ' (skipped: WHATSAPP_FIXTURES names no folder with the examples)'

/** Names of the examples in a folder of the collection. */
export const examplesIn = (path: string): string[] =>
  hasExamples ? readdirSync(join(folder, path)).filter((name) => name.endsWith('.json')) : []

// biome-ignore lint/suspicious/noExplicitAny: an example is whatever the assertions about it say.
export const readExample = (path: string): any => JSON.parse(readFileSync(join(folder, path), 'utf8'))

/** Returns the shape of a value: names and types, without its contents. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : []
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}
