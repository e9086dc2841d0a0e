import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './paths.ts'

const rules = readFileSync(join(root, 'helm/parley/files/rules.yaml'), 'utf8')
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
