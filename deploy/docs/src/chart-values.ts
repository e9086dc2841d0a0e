import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const inChart = (file: string) => fileURLToPath(new URL(`../../../helm/parley/${file}`, import.meta.url))
/** What this script completes. */
export const chartReadme = inChart('README.md')

const begin = '<!-- values: written by npm run docs -->'
const end = '<!-- end of values -->'

const nodeSchema = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
})
type Node = z.infer<typeof nodeSchema>
const objectSchema = z.record(z.string(), z.unknown())

interface Row {
  readonly name: string
  /** As in values.yaml; absent for a group, whose members have rows of their own. */
  readonly value?: unknown
  readonly meaning: string
}

/**
 * One row for each value of a chart, in the order of its schema.
 * @throws Error naming a value without a description, and one that is in only one of schema and values.
 */
export function chartValues(schema: unknown, values: unknown): Row[] {
  const { $defs = {} } = z.object({ $defs: objectSchema.optional() }).parse(schema)
  return rowsOf(schema, values, '')

  function rowsOf(node: unknown, value: unknown, path: string): Row[] {
    const { properties = {}, description = '' } = resolve(node)
    const members = objectSchema.parse(value)
    const strangers = Object.keys(members).filter((key) => !(key in properties))
    if (strangers.length > 0) throw new Error(`${path}${strangers} has no place in values.schema.json`)
    const group = path && description ? [{ name: path.slice(0, -1), meaning: description }] : []
    return [...group, ...Object.keys(properties).flatMap((key) => rowOf(properties[key], members, path, key))]
  }

  function rowOf(node: unknown, members: Record<string, unknown>, path: string, key: string): Row[] {
    const name = `${path}${key}`
    if (!(key in members)) throw new Error(`${name} has no default in values.yaml`)
    const { properties, description } = resolve(node)
    if (properties && !isEmptyMap(members[key]) && !isLeaf(node)) return rowsOf(node, members[key], `${name}.`)
    if (!description) throw new Error(`${name} has no description in values.schema.json`)
    return [{ name, value: members[key], meaning: description }]
  }

  /** A node with what it refers to; its own description goes before. */
  function resolve(node: unknown): Node {
    const { $ref, ...own } = nodeSchema.parse(node)
    return $ref ? { ...resolve($defs[$ref.replace('#/$defs/', '')]), ...own } : own
  }

  /** Kubernetes' own objects are one value: their members are documented there. */
  function isLeaf(node: unknown): boolean {
    return nodeSchema.parse(node).$ref === '#/$defs/resources'
  }
}

const isEmptyMap = (value: unknown) => value !== null && typeof value === 'object' && Object.keys(value).length === 0

/** The README of the chart with its table of values as they are now. */
export function readmeWithValues(readme: string): string {
  const schema: unknown = JSON.parse(readFileSync(inChart('values.schema.json'), 'utf8'))
  const rows = chartValues(schema, parse(readFileSync(inChart('values.yaml'), 'utf8')))
  const [before, after] = [readme.indexOf(begin), readme.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`README.md of the chart needs the lines ${begin} and ${end}`)
  return `${readme.slice(0, before)}${begin}\n${table(rows)}\n${readme.slice(after)}`
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, value, meaning }) => {
    const shown = value === undefined || value === '' ? '' : `\`${JSON.stringify(value).replaceAll('"', '')}\``
    return [`\`${name}\``, shown, meaning].map((cell) => cell.replaceAll('|', '\\|'))
  })
  return [['Value', 'Default', 'Meaning'], ['---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

if (import.meta.main) {
  const before = readFileSync(chartReadme, 'utf8')
  const readme = readmeWithValues(before)
  writeFileSync(chartReadme, readme)
  console.log(`helm/parley/README.md ${before === readme ? 'is up to date' : 'was written anew'}.`)
}
