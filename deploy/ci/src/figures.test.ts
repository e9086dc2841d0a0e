import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMetrics } from '../../../packages/service-kit/src/core/metrics.ts'
import { root } from './paths.ts'

const rules = readFileSync(join(root, 'helm/parley/files/rules.yaml'), 'utf8')
const dashboard = readFileSync(join(root, 'helm/parley/files/dashboards/services.json'), 'utf8')
const alertTests = readFileSync(join(root, 'deploy/observability/rules.test.yaml'), 'utf8')

test('alerts and dashboard use only figures that a process tells', async () => {
  const metrics = createMetrics('any')
  metrics.observeRequest('any', 'GET', 200, 0.1)
  const { text } = await metrics.render()
  const told = new Set([...text.matchAll(/^(\w+)\{/gm)].map(([, name]) => name))
  const used = [...`${rules}${dashboard}`.matchAll(/\b(?:http|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)
  expect(new Set(used).size).toBeGreaterThan(5)
  expect(used.filter((name) => !told.has(name))).toEqual([])
})

test('every alert has a case that raises it', () => {
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const raised = [...alertTests.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name]) => name)
  expect(alerts.length).toBeGreaterThan(0)
  expect(alerts.filter((name) => !raised.includes(name))).toEqual([])
})
