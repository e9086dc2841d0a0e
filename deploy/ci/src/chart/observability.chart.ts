import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { chartFolder, exampleFile, find, ofKind, render, renderText } from './render.ts'

/** Of the example. */
const runbooks = 'https://wiki.example.com/parley'
const file = (name: string) => readFileSync(join(chartFolder, 'files', name), 'utf8')

test('the PrometheusRule holds the rules that promtool has checked', () => {
  const rule = find(render('observability'), 'PrometheusRule', 'parley')
  expect(rule.spec).toEqual(parse(file('rules.yaml').replaceAll('https://parley.example/runbooks', runbooks)))
  expect(rule.metadata.labels).toMatchObject({ release: 'prometheus' })
})

test('alerts link to where the runbooks are published', () => {
  const text = renderText(exampleFile('observability'))
  expect(text).toContain(`runbook_url: ${runbooks}/ParleySlow.md`)
  expect(text).not.toContain('https://parley.example')
})

test('the ConfigMap holds every dashboard, with the label by which Grafana finds them', () => {
  const map = find(render('observability'), 'ConfigMap', '-dashboards')
  const names = readdirSync(join(chartFolder, 'files/dashboards'))
  expect(names.length).toBeGreaterThan(1)
  expect(Object.keys(map.data ?? {}).sort()).toEqual(names.sort())
  for (const name of names) expect(map.data?.[name]?.trim()).toBe(file(`dashboards/${name}`).trim())
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

test('with a collector each process is told of it and may reach it, and no process without', () => {
  const traced = (name: string) =>
    ofKind(render(name), 'ConfigMap').filter(({ data }) => data?.['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined)
  const reaching = (name: string) =>
    ofKind(render(name), 'NetworkPolicy').filter(({ spec }) => JSON.stringify(spec).includes('"port":4318'))
  for (const component of ['bff', 'profile', 'identity']) {
    expect(find(traced('observability'), 'ConfigMap', `-${component}`).data).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.monitoring:4318',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    })
    expect(find(reaching('observability'), 'NetworkPolicy', `-${component}`)).toBeDefined()
  }
  expect(traced('minimal')).toEqual([])
  expect(reaching('minimal')).toEqual([])
})

test('nothing of it is there unless asked for', () => {
  const kinds = render('minimal').map(({ kind }) => kind)
  expect(kinds).not.toContain('ServiceMonitor')
  expect(kinds).not.toContain('PrometheusRule')
  expect(ofKind(render('minimal'), 'ConfigMap')).toHaveLength(3)
})
