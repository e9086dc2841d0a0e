import { expect, test } from 'vitest'
import { htmlPage } from './html-page.ts'
import { remarksOf, reportOf } from './report.ts'
import { textSummary } from './text.ts'

const run = { target: 'http://localhost:3000', shape: 'smoke', rate: 1, seconds: 20 } as const

const trend = (values: Record<string, number>, ok = true) => ({ values, thresholds: { 'p(95)<200': { ok } } })
const rate = (passes: number, fails: number, ok = true) => ({
  values: { passes, fails, rate: passes / (passes + fails) },
  thresholds: { 'rate==0': { ok } },
})
const healthy = {
  'operation_duration{operation:GET user}': trend({ med: 5, 'p(95)': 20, 'p(99)': 1500, max: 1600, count: 40 }),
  'operation_failed{operation:GET user}': rate(0, 40),
  'operation_duration{slot:00}': { values: { count: 10, 'p(95)': 12 } },
  'operation_failed{slot:00}': { values: { passes: 0, fails: 10, rate: 0 } },
  iterations: { values: { count: 8 } },
  'iterations{scenario:journeys}': { values: { count: 7 } },
  http_reqs: { values: { count: 44 } },
}
const ill = {
  ...healthy,
  'operation_duration{operation:GET user}': trend({ med: 5, 'p(95)': 300, 'p(99)': 400, max: 500, count: 38 }, false),
  'operation_failed{operation:GET user}': rate(2, 38, false),
  'operation_failures{status:503}': { values: { count: 2 } },
  operation_limited: { values: { passes: 6, fails: 40, rate: 0.13 }, thresholds: { 'rate<0.01': { ok: false } } },
  dropped_iterations: { values: { count: 3 } },
}
const userOf = (report: ReturnType<typeof reportOf>) => report.operations.find(({ name }) => name === 'GET user')

test('a healthy run passes, and its figures are those of k6', () => {
  const report = reportOf({ metrics: healthy }, run)
  expect(report).toMatchObject({ passed: true, journeys: 7, requests: 44 })
  expect(userOf(report)).toMatchObject({ count: 40, perSecond: 2, p95: 20, failed: 0, limited: 0 })
  expect(report.overTime[0]).toMatchObject({ fromSeconds: 0, p95: 12 })
  expect(report.overTime[1]?.p95).toBeUndefined()
})

test('a broken limit fails the run and is named', () => {
  const report = reportOf({ metrics: ill }, run)
  expect(report.passed).toBe(false)
  const text = textSummary(report)
  expect(text).toContain('✗ p(95)<200 ✗ rate==0')
  expect(text).toContain('✗ failed')
})

test('refusals by a rate limit are told apart from failures', () => {
  const remarks = remarksOf(reportOf({ metrics: ill }, run)).join('\n')
  expect(remarks).toContain('6 operations were refused by a rate limit (429)')
  expect(remarks).toContain('Failures by answer: 503 2')
  expect(remarks).toContain('3 journeys did not begin')
})

test('a run in which nothing was done does not pass', () => {
  expect(reportOf({ metrics: {} }, run).passed).toBe(false)
})

test('the page is complete in itself and escapes what it shows', () => {
  const page = htmlPage(reportOf({ metrics: ill }, { ...run, target: 'http://localhost/<script>' }))
  expect(page.match(/<svg/g)).toHaveLength(4)
  expect(page).not.toMatch(/<script|<link|src=|href=|url\(/)
  expect(page).toContain('&#60;script&#62;')
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

test('a page without any measured operation can be drawn too', () => {
  expect(htmlPage(reportOf({ metrics: {} }, run))).not.toMatch(/NaN|undefined|Infinity/)
})
