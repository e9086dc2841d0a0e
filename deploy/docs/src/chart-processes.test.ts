import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { chartProcesses, chartProcessesFile } from './chart-processes.ts'

test('the chart has the registry of processes; otherwise type: npm run docs', () => {
  expect(readFileSync(chartProcessesFile, 'utf8')).toBe(chartProcesses())
})

test('values.yaml has a group for every process and an entry for every secret', () => {
  const values = z
    .looseObject({ secrets: z.record(z.string(), z.unknown()) })
    .parse(parse(readFileSync(new URL('../../../helm/parley/values.yaml', import.meta.url), 'utf8')))
  const { processes } = z
    .object({ processes: z.array(z.object({ values: z.string(), secrets: z.record(z.string(), z.string()) })) })
    .parse(JSON.parse(chartProcesses()))
  for (const process of processes) {
    expect(Object.keys(values)).toContain(process.values)
    for (const entry of Object.values(process.secrets)) expect(Object.keys(values.secrets)).toContain(entry)
  }
})
