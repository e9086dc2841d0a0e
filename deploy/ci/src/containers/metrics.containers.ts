import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { dashboardQueries } from '../dashboards.ts'
import { root } from '../paths.ts'
import { askKeycloak } from './keycloak-admin.ts'
import { handed } from './stack.ts'

/** Prometheus has seen the stack by now, a journey in a browser and the load test. */
async function askPrometheus<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${handed.PROMETHEUS_PORT}/api/v1/${path}`)
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return z.object({ data: schema }).parse(JSON.parse(text)).data
}
const patiently = { timeout: 90_000, interval: 1000 }

test('Prometheus reads every process of ours and itself', async () => {
  const target = z.object({ labels: z.record(z.string(), z.string()), health: z.string(), lastError: z.string() })
  const targets = async () => {
    const { activeTargets } = await askPrometheus('targets', z.object({ activeTargets: z.array(target) }))
    return activeTargets
      .filter(({ labels }) => labels['job'] !== 'collector')
      .map(({ labels, health, lastError }) => [labels['instance'], health, lastError])
      .sort()
  }
  const messaging = ['messaging:3000', 'messaging-ingest:3001', 'messaging-worker:3000', 'messaging-webhooks:3000']
  const workers = ['automation-worker:3000', 'profile-worker:3000']
  const ours = ['bff:3001', 'identity:3000', ...messaging, 'automation:3000', ...workers]
  const all = [...ours, 'localhost:9090', 'profile:3000'].sort()
  await expect.poll(targets, patiently).toEqual(all.map((instance) => [instance, 'up', '']))
})

test('every rule of the chart is loaded and computes', async () => {
  const rule = z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() })
  const groups = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) })
  const computed = async () => {
    const rules = (await askPrometheus('rules', groups)).groups.flatMap((group) => group.rules)
    return rules.map(({ name, health, lastError = '' }) => `${name} ${health} ${lastError}`).sort()
  }
  const one = z.object({ record: z.string().optional(), alert: z.string().optional() })
  const written = z
    .object({ groups: z.array(z.object({ rules: z.array(one) })) })
    .parse(parse(readFileSync(join(root, 'helm/parley/files/rules.yaml'), 'utf8')))
    .groups.flatMap(({ rules }) => rules.map(({ record, alert }) => `${record ?? alert} ok `))
  expect(written.length).toBeGreaterThan(20)
  await expect.poll(computed, patiently).toEqual(written.sort())
})

/** Panels that show nothing while nothing fails. */
const ofFailures = [
  'Share of 5xx answers',
  '5xx a second by operation',
  'Failures by operation',
  'Refused by rate limits',
  'Calls that fail',
]

test('every query of the dashboards is answered, and has samples once people have signed in', async () => {
  const result = z.object({ result: z.array(z.unknown()) })
  const queries = dashboardQueries('30m')
  expect(queries.length).toBeGreaterThan(40)
  const empty = async () => {
    const answers = await Promise.all(
      queries.map(({ expr }) => askPrometheus(`query?query=${encodeURIComponent(expr)}`, result)),
    )
    return queries.flatMap(({ title }, at) => (answers[at]?.result.length ? [] : title))
  }
  await expect.poll(async () => (await empty()).filter((title) => !ofFailures.includes(title)), patiently).toEqual([])
})

test('the load test has left no account behind', async () => {
  expect(await askKeycloak('GET', '/users?search=load.parley.test')).toEqual([])
})
