import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployedNames } from '@parley/processes/processes'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { schemaArguments } from '../tools/kubernetes-schemas.ts'
import { environmentOf, processConfigs } from './environment.ts'
import {
  chartFolder,
  deployedBy,
  exampleFile,
  examples,
  find,
  ofKind,
  parseManifests,
  render,
  renderText,
  run,
} from './render.ts'

/** Kinds of operators and of the Gateway API have no schema here; helm/parley/tests looks at them. */
const kubeconform = (text: string) =>
  run(
    'kubeconform',
    ['-strict', '-summary', '-skip', 'ServiceMonitor,PrometheusRule,HTTPRoute', ...schemaArguments],
    text,
  )

test('there is an example for each feature', () => {
  expect(examples.length).toBeGreaterThan(10)
})

test('they are what the schemas of Kubernetes allow', () => {
  // Done for all at once: reading the schemas is most of the work.
  const text = examples.map((example) => renderText(join(chartFolder, 'ci', example))).join('\n---\n')
  const { code, output } = kubeconform(text)
  expect(code, output).toBe(0)
  const [, valid] = /Valid: (\d+), Invalid: 0, Errors: 0/.exec(output) ?? []
  expect(Number(valid)).toBeGreaterThan(20 * examples.length)
})

/** Cores or bytes, as Kubernetes writes a quantity: `150m`, `192Mi`. */
function quantity(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(m|Mi|Gi)?$/.exec(text) ?? []
  return Number(number) * { m: 0.001, Mi: 1024 ** 2, Gi: 1024 ** 3, '': 1 }[unit as 'm' | 'Mi' | 'Gi' | '']
}

const deploymentSchema = z.object({
  replicas: z.number(),
  template: z.object({
    spec: z.object({
      containers: z.array(
        z.object({ resources: z.object({ requests: z.object({ cpu: z.string(), memory: z.string() }) }) }),
      ),
    }),
  }),
})

test('the small profile runs every process in 1.2 cores and 1.5 GiB of requests, and the examples pass with it', () => {
  const small = ['--values', join(chartFolder, 'values-small.yaml')]
  const args = ['template', 'try', chartFolder, ...small, '--values', exampleFile('minimal')]
  const { code, output } = run('helm', args)
  expect(code, output).toBe(0)
  const manifests = parseManifests(output)
  expect(ofKind(manifests, 'HorizontalPodAutoscaler')).toEqual([])
  const deployments = ofKind(manifests, 'Deployment').map(({ spec }) => deploymentSchema.parse(spec))
  expect(deployments).toHaveLength(deployedNames.length)
  const sum = (of: 'cpu' | 'memory') =>
    deployments
      .flatMap(({ replicas, template }) =>
        template.spec.containers.map(({ resources }) => replicas * quantity(resources.requests[of])),
      )
      .reduce((total, value) => total + value, 0)
  expect(sum('cpu')).toBeLessThanOrEqual(1.2)
  expect(sum('memory')).toBeLessThanOrEqual(1.5 * 1024 ** 3)
  for (const example of examples) {
    const found = run('helm', ['lint', '--strict', chartFolder, ...small, '--values', join(chartFolder, 'ci', example)])
    expect(found.code, found.output).toBe(0)
  }
})

describe.each(examples)('%s', (example) => {
  const values = join(chartFolder, 'ci', example)
  const text = renderText(values)
  const manifests = parseManifests(text)

  test('passes helm lint', () => {
    const { code, output } = run('helm', ['lint', '--strict', chartFolder, '--values', values])
    expect(code, output).toBe(0)
  })

  test('is the same the second time: an upgrade with the same values changes nothing', () => {
    expect(renderText(values)).toBe(text)
  })

  test.each(deployedBy(example))('gives %s an environment with which it starts', (component) => {
    const result = processConfigs[component]?.safeParse(environmentOf(manifests, component))
    expect(result).toMatchObject({ success: true })
  })
})

test('a typo in a template is caught', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chart-'))
  try {
    cpSync(chartFolder, folder, { recursive: true })
    const file = join(folder, 'templates/deployments.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('livenessProbe:', 'livenesProbe:'))
    const { code, output } = kubeconform(renderText(exampleFile('minimal'), [], folder))
    expect(code).not.toBe(0)
    expect(output).toContain('livenesProbe')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('alerts and dashboards are those of the files, the runbooks apart', () => {
  const file = (name: string) => readFileSync(join(chartFolder, 'files', name), 'utf8')
  const manifests = render('observability')
  const rules = file('rules.yaml').replaceAll('https://parley.example/runbooks', 'https://wiki.example.com/parley')
  expect(find(manifests, 'PrometheusRule', 'parley').spec).toEqual(parse(rules))
  const { data = {} } = find(manifests, 'ConfigMap', '-dashboards')
  const names = readdirSync(join(chartFolder, 'files/dashboards'))
  expect(names.length).toBeGreaterThan(1)
  expect(Object.keys(data).sort()).toEqual(names.sort())
  for (const name of names) expect(data[name]?.trim()).toBe(file(`dashboards/${name}`).trim())
})

test('a changed setting starts the pods anew that read it, and no others', () => {
  const podTemplates = (sets: readonly string[]) =>
    Object.fromEntries(
      ofKind(render('minimal', sets), 'Deployment').map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec)]),
    )
  const before = podTemplates([])
  const after = podTemplates(['bff.passwordSignIn=hosted'])
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['try-parley-bff'])
})
