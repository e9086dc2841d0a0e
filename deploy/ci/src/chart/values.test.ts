import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configSchema as bff } from '@parley/bff/config'
import { processes, urlVariable } from '@parley/processes/processes'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../paths.ts'

const inChart = (file: string) => readFileSync(join(root, 'helm/parley', file), 'utf8')
const schemaText = inChart('values.schema.json')

test('no level of the schema lets an unknown key through', () => {
  const open: string[] = []
  visit(JSON.parse(schemaText), '#')
  expect(open).toEqual([])

  /** Visits a value. Free keys are fine where their values are described: labels and annotations. */
  function visit(node: unknown, path: string): void {
    if (node === null || typeof node !== 'object') return
    const { type, additionalProperties: free } = Object.fromEntries(Object.entries(node))
    const closed = free === false || (typeof free === 'object' && free !== null)
    if (type === 'object' && !closed) open.push(path)
    for (const [key, child] of Object.entries(node)) visit(child, `${path}/${key}`)
  }
})

test('every setting of the BFF is made by the chart or may be given in bff.env, and none in both', () => {
  const template = inChart('templates/_environment.tpl')
  const { calls, secrets } = processes.bff
  const written = [...template.matchAll(/^([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name)
  const made = [...written, ...Object.keys(secrets), ...calls.map(urlVariable)]
  const { properties } = z
    .object({
      properties: z.object({
        bff: z.object({ properties: z.object({ env: z.object({ properties: z.record(z.string(), z.unknown()) }) }) }),
      }),
    })
    .parse(JSON.parse(schemaText))
  const settable = Object.keys(properties.bff.properties.env.properties)
  const unknown = Object.keys(bff.shape).filter((name) => !made.includes(name) && !settable.includes(name))
  expect(unknown).toEqual([])
  expect(settable.filter((name) => made.includes(name) || !(name in bff.shape))).toEqual([])
})
