import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from './paths.ts'

/** Prints every query of the dashboards as a file of rules, for promtool: Grafana's own variables in it have values. */
const folder = join(root, 'helm/parley/files/dashboards')
const boardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
})

const rules = globSync('*.json', { cwd: folder }).flatMap((file) =>
  boardSchema
    .parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ file, title, expr }))),
)
const asRule = ({ file, title, expr }: (typeof rules)[number], index: number) => ({
  record: `query:${index}`,
  expr: expr.replaceAll('$__rate_interval', '5m'),
  labels: { file, title },
})
// JSON is YAML too.
console.log(JSON.stringify({ groups: [{ name: 'dashboards', rules: rules.map(asRule) }] }, null, 1))
