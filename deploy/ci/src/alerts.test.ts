import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointsOf } from '@parley/processes/endpoints'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { dashboardQueries } from './dashboards.ts'
import { root } from './paths.ts'

const rules = readFileSync(join(root, 'helm/parley/files/rules.yaml'), 'utf8')
const metricsOfRequests = readFileSync(join(root, 'packages/service-kit/src/core/metrics.ts'), 'utf8')
const { processes } = z
  .object({ processes: z.array(z.object({ name: z.string() })) })
  .parse(JSON.parse(readFileSync(join(root, 'helm/parley/files/processes.json'), 'utf8')))
const alertTests = readFileSync(join(root, 'deploy/observability/rules.test.yaml'), 'utf8')
const runbookFolder = join(root, 'deploy/docs/runbooks')
const alerts = [...new Set([...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name))]

test('every alert has a case that raises it', () => {
  const raised = [...alertTests.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name]) => name)
  expect(alerts.length).toBeGreaterThan(5)
  expect(alerts.filter((name) => !raised.includes(name))).toEqual([])
})

test('every alert names its runbook, and every runbook belongs to an alert', () => {
  const runbooks = readdirSync(runbookFolder).filter((file) => file !== 'README.md')
  expect(runbooks.sort()).toEqual(alerts.map((name) => `${name}.md`).sort())
  for (const part of rules.split('- alert: ').slice(1)) {
    const [name] = part.split('\n')
    expect(part).toContain(`runbook_url: https://parley.example/runbooks/${name}.md`)
  }
})

test('a runbook reads the log of every pod of a process, not that of one', () => {
  const pages = readdirSync(runbookFolder).map((file) => readFileSync(join(runbookFolder, file), 'utf8'))
  expect(pages.flatMap((page) => page.match(/kubectl logs \S*deploy\/parley-\S+/g) ?? [])).toEqual([])
})

test('a threshold of a percentile is a bound of its histogram', () => {
  const [, bounds = ''] =
    /name: 'http_request_duration_seconds'[^}]*?buckets: \[([^\]]+)\]/.exec(metricsOfRequests) ?? []
  const thresholds = [...rules.matchAll(/duration_seconds:p95_5m > ([\d.]+)/g)].map(([, seconds]) => Number(seconds))
  expect(thresholds.length).toBeGreaterThan(1)
  expect(bounds.split(',').map(Number)).toEqual(expect.arrayContaining(thresholds))
})

test('a bound of a bucket matches as it was exported and as Prometheus 3 writes it: 5 and 5.0', () => {
  const bounds = dashboardQueries('5m')
    .map(({ expr }) => expr)
    .concat(rules)
    .flatMap((text) => [...text.matchAll(/\ble(=~?)"([^"]+)"/g)].map(([, operator, bound]) => `${operator}${bound}`))
  expect(bounds.length).toBeGreaterThan(7)
  for (const bound of bounds) expect(bound).toMatch(/^=~\d+\(\[\.\]0\)\?$/)
})

test('every process is missed where it reports nothing', () => {
  const missed = [
    ...rules.matchAll(/unless on \(namespace\) process_start_time_seconds\{process="([^"]+)"\}, "process", "([^"]+)"/g),
  ]
  expect(missed.map(([, name]) => name).sort()).toEqual(processes.map(({ name }) => name).sort())
  for (const [, sought, told] of missed) expect(told).toBe(sought)
})

test('durations are those of calls that end by themselves: no stream, no file and no wait for events', () => {
  const [, pattern = ''] = /duration_seconds:p95_5m\n[\s\S]*?operation!~"([^"]+)"/.exec(rules) ?? []
  const leftOut = new RegExp(`^(?:${pattern})$`)
  const lasting = Object.values(endpointsOf)
    .flat()
    .filter(
      ({ responseType, bodyType, waits }) => waits || bodyType === 'stream' || /stream|events/.test(`${responseType}`),
    )
  expect(lasting.length).toBeGreaterThan(10)
  expect(lasting.filter(({ operation }) => !leftOut.test(operation))).toEqual([])
})
