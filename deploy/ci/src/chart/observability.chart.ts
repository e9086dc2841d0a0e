import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { chartFolder, find, ofKind, render } from './render.ts'

const file = (name: string) => readFileSync(join(chartFolder, 'files', name), 'utf8')

test('the PrometheusRule holds the rules that promtool has checked', () => {
  const rule = find(render('observability'), 'PrometheusRule', 'parley')
  expect(rule.spec).toEqual(parse(file('rules.yaml')))
  expect(rule.metadata.labels).toMatchObject({ release: 'prometheus' })
})

test('the ConfigMap holds the dashboard, with the label by which Grafana finds it', () => {
  const map = find(render('observability'), 'ConfigMap', '-dashboard')
  expect(JSON.parse(map.data?.['parley.json'] ?? '')).toEqual(JSON.parse(file('dashboard.json')))
  expect(map.metadata.labels).toMatchObject({ grafana_dashboard: '1' })
})

test('the ServiceMonitor reads each process once, never the public port of the BFF', () => {
  const manifests = render('observability')
  const { selector, endpoints } = z
    .object({
      selector: z.object({ matchExpressions: z.array(z.object({ key: z.string(), values: z.array(z.string()) })) }),
      endpoints: z.array(z.object({ port: z.string(), path: z.string() })),
    })
    .parse(find(manifests, 'ServiceMonitor', 'parley').spec)
  const [{ key, values } = { key: '', values: [] }] = selector.matchExpressions
  const services = ofKind(manifests, 'Service').filter(({ metadata }) => values.includes(metadata.labels[key] ?? ''))
  const read = services.flatMap(({ metadata, spec }) => {
    const { ports } = z.object({ ports: z.array(z.object({ name: z.string() })) }).parse(spec)
    return ports.filter(({ name }) => endpoints.some(({ port }) => port === name)).map(() => metadata.name)
  })
  expect(read.sort()).toEqual(['try-parley-bff-management', 'try-parley-identity', 'try-parley-profile'])
  expect(new Set(endpoints.map(({ path }) => path))).toEqual(new Set(['/metrics']))
})

test('nothing of it is there unless asked for', () => {
  const kinds = render('minimal').map(({ kind }) => kind)
  expect(kinds).not.toContain('ServiceMonitor')
  expect(kinds).not.toContain('PrometheusRule')
  expect(ofKind(render('minimal'), 'ConfigMap')).toHaveLength(3)
})
