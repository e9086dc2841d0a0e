import { readFileSync } from 'node:fs'
import { configSchema as bff } from '@parley/bff/config'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { chartReadme, chartValues, readmeWithValues } from './chart-values.ts'

const inChart = (file: string) => readFileSync(new URL(`../../../helm/parley/${file}`, import.meta.url), 'utf8')
const schemaText = inChart('values.schema.json')

test('the committed table is what schema and values say; otherwise type: npm run docs', () => {
  const readme = readFileSync(chartReadme, 'utf8')
  expect(readme).toBe(readmeWithValues(readme))
  expect(readme).toContain('| `bff.autoscaling.maxReplicas` | `6` |')
})

test('a value needs a place in the schema, a description and a default', () => {
  const described = { description: 'A.' }
  const schema = (properties: object) => ({ properties })
  expect(chartValues(schema({ a: described }), { a: 1 })).toEqual([{ name: 'a', value: 1, meaning: 'A.' }])
  expect(() => chartValues(schema({ a: {} }), { a: 1 })).toThrow('a has no description')
  expect(() => chartValues(schema({ a: described }), {})).toThrow('a has no default')
  expect(() => chartValues(schema({ a: described }), { a: 1, b: 2 })).toThrow('b has no place')
})

test('no level of the schema lets an unknown key through', () => {
  const open: string[] = []
  visit(JSON.parse(schemaText), '#')
  expect(open).toEqual([])

  /** Free keys are fine where their values are described: labels and annotations. */
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
  const made = [...template.matchAll(/^([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name)
  const { properties } = z
    .object({
      properties: z.object({
        bff: z.object({ properties: z.object({ env: z.object({ properties: z.record(z.string(), z.unknown()) }) }) }),
      }),
    })
    .parse(JSON.parse(schemaText))
  const given = Object.keys(properties.bff.properties.env.properties)
  const unknown = Object.keys(bff.shape).filter((name) => !made.includes(name) && !given.includes(name))
  expect(unknown).toEqual([])
  expect(given.filter((name) => made.includes(name) || !(name in bff.shape))).toEqual([])
})

test('every example says in its first line what it shows', () => {
  for (const file of ['minimal', 'ingress', 'plain-secrets']) {
    const text = inChart(`ci/${file}-values.yaml`)
    expect(text).toMatch(/^# \S/)
    expect(parse(text)).toHaveProperty('publicOrigin')
  }
})
