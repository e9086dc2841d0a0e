import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../paths.ts'

/**
 * Checks what only Grafana itself would report: that files mounted by the compose file are where the configuration looks for
 * them.
 */
const read = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'))
const folder = 'deploy/observability/compose'
const { services } = z
  .object({ services: z.record(z.string(), z.object({ volumes: z.array(z.unknown()).default([]) })) })
  .parse(read('docker-compose.yml'))

/** Folder or file of the repository by its place in the container. */
const mountsOf = (service: string): ReadonlyMap<string, string> =>
  new Map(
    (services[service]?.volumes ?? []).flatMap((volume) => {
      const [source = '', target = ''] = typeof volume === 'string' ? volume.split(':') : []
      return source.startsWith('./') ? [[target, source] as const] : []
    }),
  )

test('everything that is mounted from the repository exists', () => {
  const sources = Object.keys(services).flatMap((service) => [...mountsOf(service).values()])
  expect(sources.length).toBeGreaterThan(5)
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
})

test('Prometheus finds its rules', () => {
  const { rule_files } = z.object({ rule_files: z.array(z.string()) }).parse(read(`${folder}/prometheus.yml`))
  expect(rule_files.map((file) => mountsOf('prometheus').get(file))).toEqual(['./helm/parley/files/rules.yaml'])
})

test('Grafana finds its data source, the list of dashboards and the dashboards', () => {
  const mounts = mountsOf('grafana')
  const provisioning = `./${folder}/grafana/provisioning`
  for (const kind of ['datasources', 'dashboards'])
    expect(mounts.get(`/etc/grafana/provisioning/${kind}`)).toBe(`${provisioning}/${kind}`)
  const { providers } = z
    .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
    .parse(read(`${provisioning}/dashboards/parley.yaml`))
  expect(providers.map(({ options }) => mounts.get(options.path))).toEqual(['./helm/parley/files/dashboards'])
})

const reference = z.object({ type: z.string(), uid: z.string() })
const boardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  templating: z.object({
    list: z.array(
      z.object({ name: z.string(), type: z.string(), query: z.unknown(), datasource: reference.optional() }),
    ),
  }),
  panels: z.array(
    z.object({
      id: z.number(),
      type: z.string(),
      datasource: reference.optional(),
      targets: z.array(z.object({ refId: z.string(), datasource: reference })).default([]),
    }),
  ),
  links: z.array(z.object({ url: z.string() })),
})
const boards = readdirSync(join(root, 'helm/parley/files/dashboards')).map((file) =>
  boardSchema.parse(read(`helm/parley/files/dashboards/${file}`)),
)

test('every panel asks the data source that the board chooses among those of the type that is provisioned', () => {
  const { datasources } = z
    .object({ datasources: z.array(reference.extend({ url: z.string() })) })
    .parse(read(`${folder}/grafana/provisioning/datasources/prometheus.yaml`))
  const [{ type } = { type: '' }] = datasources
  expect(services).toHaveProperty(new URL(datasources[0]?.url ?? '').hostname)
  for (const { title, templating, panels } of boards) {
    expect(templating.list, title).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: type }),
    )
    const used = [...templating.list, ...panels, ...panels.flatMap(({ targets }) => targets)]
    const asked = used.flatMap(({ datasource }) => datasource ?? [])
    expect(asked.length, title).toBeGreaterThan(panels.length)
    expect(new Set(asked.map(({ uid }) => uid)), title).toEqual(new Set([`\${datasource}`]))
    expect(new Set(asked.map((one) => one.type)), title).toEqual(new Set([type]))
    expect(new Set(panels.map(({ id }) => id)).size, title).toBe(panels.length)
  }
})

test('boards link to each other', () => {
  const known = boards.map(({ uid }) => `/d/${uid}`)
  expect(known.length).toBeGreaterThan(1)
  for (const { title, links } of boards) for (const { url } of links) expect(known, title).toContain(url)
})
