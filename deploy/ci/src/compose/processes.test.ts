import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryVariables } from '@parley/processes/memory'
import {
  callersOf,
  deployedNames,
  describeProcess,
  operationsPort,
  processNames,
  urlVariable,
} from '@parley/processes/processes'
import { stopLimitSeconds } from '@parley/processes/stop'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { completeSecrets, environment as secretsOf } from '../../../docker/compose/secrets.mts'
import { root } from '../paths.ts'
import { configsOfProcesses } from '../process-configs.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
/**
 * Puts variables or their defaults into the text as compose does, the inner ones first; an empty one is an empty text. `:-` takes the
 * default in place of an empty variable too, `-` of an absent one alone.
 */
function interpolated(text: string, variables: Readonly<Record<string, string>> = {}): string {
  const next = text.replace(/\$\{(\w+)(:?)-([^{}]*)\}/g, (_all, name: string, orEmpty: string, fallback: string) => {
    const value = variables[name]
    return (value === undefined || (orEmpty && value === '') ? fallback : value) || "''"
  })
  return next === text ? text : interpolated(next, variables)
}

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  env_file: z.unknown().optional(),
  volumes: z.array(z.unknown()).default([]),
  stop_grace_period: z.string().optional(),
  depends_on: z.record(z.string(), z.unknown()).default({}),
})
const { services } = z
  .object({ services: z.record(z.string(), z.unknown()) })
  .parse(parse(interpolated(read('docker-compose.yml')), { merge: true }))
const service = (name: string) => serviceSchema.parse(services[name])

const configs = await configsOfProcesses()
const secrets = completeSecrets({})
const ports = { http: 3000, management: 3001 }
/** Returns the variables that the image sets. */
const imageEnvironment = (folder: string) => {
  const dockerfile = read(`deploy/docker/${folder === 'bff' ? 'bff' : 'service'}.Dockerfile`)
  const settings = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' '))
  return Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/).slice(0, 2)))
}

test.each(processNames)('compose runs %s as the registry describes it', (name) => {
  const { folder, entry, image, needs } = describeProcess(name)
  const { command, ...made } = service(name)
  expect(made.image).toBe(`${image}:dev`)
  expect(command).toEqual(['node', `--env-file=/run/secrets/${name}/env`, `${folder}/${entry}`])
  expect(made.volumes).toContain(`secrets-${name}:/run/secrets/${name}:ro`)
  // Any variable that is documented can be set, though none has to be.
  if (name !== 'simulator') expect(made.env_file).toEqual([{ path: 'settings.env', required: false }])
  expect(made.stop_grace_period).toBe(`${stopLimitSeconds}s`)
  if (needs.includes('redis')) expect(Object.keys(made.depends_on)).toContain('valkey')
})

test('Keycloak is compiled for throughput where its options are empty, and links lead to the port that is published', () => {
  const settings = (variables: Readonly<Record<string, string>>) => {
    const document = z
      .object({ services: z.record(z.string(), z.unknown()) })
      .parse(parse(interpolated(read('docker-compose.yml'), variables), { merge: true }))
    const of = (name: string) => serviceSchema.parse(document.services[name]).environment
    return [of('keycloak')['JAVA_OPTS_APPEND'], of('messaging')['LINKS_PUBLIC_URL']]
  }
  expect(settings({})).toEqual(['-XX:TieredStopAtLevel=1', 'http://localhost:3005'])
  expect(settings({ KEYCLOAK_JAVA_OPTIONS: '', LINKS_PORT: '4005' })).toEqual(['', 'http://localhost:4005'])
  expect(settings({ LINKS_PORT: '4005', LINKS_PUBLIC_URL: 'https://links.example.com' })[1]).toBe(
    'https://links.example.com',
  )
})

test('the mail page, which asks nobody who they are, answers by its own addresses alone', () => {
  const { environment, volumes } = service('mail')
  const [, file] = /^--require=(\S+)$/.exec(environment['NODE_OPTIONS'] ?? '') ?? []
  expect(volumes).toContain(`./deploy/docker/compose/own-address.cjs:${file}:ro`)
  // The last one is that of the health check.
  expect(environment['OWN_ADDRESSES']?.split(',')).toEqual(['127.0.0.1:1080', 'localhost:1080', '127.0.0.1:1080'])
})

test.each(processNames)('%s starts with the variables that compose gives it', (name) => {
  const { folder } = describeProcess(name)
  const environment = { ...imageEnvironment(folder), ...service(name).environment, ...secretsOf(name, secrets) }
  expect(
    configs[name].safeParse(Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))).error,
  ).toBe(undefined)
})

test.each(processNames)(
  '%s is told in its image about memory what the registry says, and compose leaves it',
  (name) => {
    expect(imageEnvironment(describeProcess(name).folder)).toMatchObject(memoryVariables)
    for (const variable of Object.keys(memoryVariables))
      expect(Object.keys(service(name).environment)).not.toContain(variable)
  },
)

test.each(processNames)('%s finds whom it calls, and the keys of its callers', (name) => {
  const { environment } = service(name)
  for (const called of describeProcess(name).calls)
    expect(environment[urlVariable(called)]).toBe(`http://${called}:${ports.http}`)
  const issuers = callersOf(name).map((caller) => {
    return `${caller}=http://${caller}:${ports[operationsPort(caller)]}/internal/jwks.json`
  })
  expect(environment['INTERNAL_ISSUERS'] ?? '').toBe(issuers.join(','))
})

test('each database is migrated before its process starts', () => {
  for (const name of processNames) {
    const { folder, migrate } = describeProcess(name)
    if (!migrate) continue
    const command = ['node', `--env-file=/run/secrets/migrations/${name}.env`, `${folder}/${migrate}`]
    const [job] = Object.keys(services).filter((one) => service(one).command.join() === command.join())
    expect(Object.keys(service(name).depends_on)).toContain(job)
  }
})

test('Prometheus reads every process that is deployed', () => {
  const targets = deployedNames.map((name) => `${name}:${ports[operationsPort(name)]}`)
  expect(read('deploy/observability/compose/prometheus.yml')).toContain(`targets: [${targets.join(', ')}]`)
})
