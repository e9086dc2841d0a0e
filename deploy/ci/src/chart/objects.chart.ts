import { expect, test } from 'vitest'
import { z } from 'zod'
import { deniesByDefault, permissions } from './network.ts'
import { chartFolder, exampleFile, find, type Manifest, ofKind, podsOf, render, renderText, run } from './render.ts'

const component = (manifests: readonly Manifest[], name: string) => {
  const found = podsOf([find(manifests, 'Deployment', `-${name}`)])[0]
  if (!found) throw new Error(`no ${name}`)
  return found.pod
}

test('a rolling update takes no pod away before its successor is ready, and leaves it time to drain', () => {
  const manifests = render('minimal')
  for (const deployment of ofKind(manifests, 'Deployment')) {
    expect(deployment.spec?.['strategy']).toEqual({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
  }
  for (const { pod } of podsOf(ofKind(manifests, 'Deployment'))) {
    const pause = z
      .object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) })
      .parse(pod.containers[0]?.lifecycle).preStop.sleep.seconds
    expect(pause).toBeGreaterThan(0)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + 25)
  }
})

test('an autoscaler owns the number of pods where there is one', () => {
  const scaled = render('minimal')
  expect(ofKind(scaled, 'HorizontalPodAutoscaler')).toHaveLength(3)
  expect(ofKind(scaled, 'Deployment').filter(({ spec }) => 'replicas' in (spec ?? {}))).toEqual([])
  const fixed = render('fixed-replicas')
  expect(ofKind(fixed, 'HorizontalPodAutoscaler')).toEqual([])
  expect(ofKind(fixed, 'Deployment').map(({ spec }) => spec?.['replicas'])).toEqual([3, 2, 1])
  expect(ofKind(fixed, 'PodDisruptionBudget')).toHaveLength(2)
})

test('who may reach whom, and nothing else', () => {
  const manifests = render('minimal')
  expect(deniesByDefault(manifests)).toBe(true)
  const dns = '{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"kube-system"}}}:53'
  const own = permissions(manifests).filter((line) => !line.endsWith(dns))
  expect(own.sort()).toEqual(
    [
      'test → bff:3000',
      'profile → bff:3001',
      'identity → bff:3001',
      'bff → profile:3000',
      'bff → identity:3000',
      // The same from the other side.
      'test → bff:3000',
      'profile → bff:3001',
      'identity → bff:3001',
      'bff → profile:3000',
      'bff → identity:3000',
      'bff → anybody:6379',
      'bff → anybody:443',
      'profile → anybody:27017',
      'profile → anybody:6379',
      'identity → anybody:443',
      'migrations → anybody:27017',
    ].sort(),
  )
})

test('only BFF and identity reach Keycloak, wherever it is', () => {
  const keycloak = permissions(render('in-cluster-backing')).filter((line) => line.endsWith('"identity"}}}:8080'))
  expect(keycloak.map((line) => line.split(' ')[0])).toEqual(['bff', 'identity'])
})

test('from outside only the Ingress controller gets in, and only to the public port of the BFF', () => {
  const controller = permissions(render('ingress')).filter((line) => line.startsWith('{'))
  expect(controller).toEqual([expect.stringMatching(/ingress-nginx.* → bff:3000$/)])
})

test('so does another way in than the Ingress of the chart', () => {
  const cidr = 'networkPolicy.ingressController[0].ipBlock.cidr=10.0.0.0/8'
  const gateway = permissions(render('minimal', [cidr])).filter((line) => line.startsWith('{'))
  expect(gateway).toEqual(['{"ipBlock":{"cidr":"10.0.0.0/8"}} → bff:3000'])
})

test('operators’ paths are not routed, whatever the values say', () => {
  const unrouted = (value: string) => {
    const text = renderText(exampleFile('ingress'), [`ingress.unroutedPaths=${value}`])
    return [...text.matchAll(/path: (\S+)\n.*\n.*\n.*\n.*-nowhere/g)].map(([, path]) => path)
  }
  const operators = ['/admin', '/internal', '/metrics', '/healthz', '/readyz']
  expect(unrouted('null')).toEqual(operators)
  expect(unrouted('{/internal,/staff}')).toEqual([...operators, '/staff'])
})

test('Prometheus reaches the management port of the BFF and the port of each service', () => {
  const prometheus = permissions(render('observability')).filter((line) => line.startsWith('{'))
  expect(prometheus.map((line) => line.split(' → ')[1])).toEqual(['bff:3001', 'profile:3000', 'identity:3000'])
})

test('the Ingress leads to the public port of the BFF, and operators’ paths to a Service without pods', () => {
  const manifests = render('ingress')
  const pathSchema = z.object({
    path: z.string(),
    backend: z.object({ service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }) }),
  })
  const { rules } = z
    .object({ rules: z.array(z.object({ host: z.string(), http: z.object({ paths: z.array(pathSchema) }) })) })
    .parse(find(manifests, 'Ingress', 'parley').spec)
  const targets = rules.flatMap(({ http }) =>
    http.paths.map(({ path, backend: { service } }) => `${path} ${service.name}:${service.port.name}`),
  )
  expect(rules.map(({ host }) => host)).toEqual(['app.example.com'])
  expect(targets).toEqual([
    ...['/admin', '/internal', '/metrics', '/healthz', '/readyz'].map((path) => `${path} try-parley-nowhere:http`),
    '/ try-parley-bff:http',
  ])
  expect(find(manifests, 'Service', '-nowhere').spec).not.toHaveProperty('selector')
  expect(JSON.stringify(find(manifests, 'Service', '-bff').spec)).not.toContain('management')
})

test('without secrets in plain there is no Secret to overwrite', () => {
  for (const example of ['minimal', 'separate-secrets']) expect(ofKind(render(example), 'Secret')).toEqual([])
})

test('a process is given its own secrets and nobody else’s', () => {
  const manifests = render('plain-secrets')
  const keys = Object.fromEntries(
    ofKind(manifests, 'Secret').map(({ metadata, stringData = {} }) => [metadata.name, Object.keys(stringData).sort()]),
  )
  expect(keys).toEqual({
    'shop-bff': [
      'INTERNAL_TOKEN_KEYS',
      'OIDC_PASSWORD_CLIENT_SECRET',
      'OIDC_WEB_CLIENT_SECRET',
      'REDIS_URL',
      'SESSION_KEYS',
    ],
    'shop-profile': ['MONGODB_URL', 'REDIS_URL'],
    'shop-identity': ['IDENTITY_CLIENT_SECRET'],
    'shop-migrations': ['MONGODB_URL'],
  })
  expect(JSON.stringify(ofKind(manifests, 'ConfigMap'))).not.toContain('not-a-secret')
})

test('each Secret may be another one, under another key', () => {
  const variables = component(render('separate-secrets'), 'profile').containers.flatMap(({ env }) => env)
  expect(variables).toEqual([
    { name: 'MONGODB_URL', valueFrom: { secretKeyRef: { name: 'mongodb-parley', key: 'connectionString' } } },
    { name: 'REDIS_URL', valueFrom: { secretKeyRef: { name: 'redis-parley', key: 'url' } } },
  ])
})

test('migrations run before pods are replaced, and what they need is there by then', () => {
  const manifests = render('plain-secrets')
  const needed = manifests.filter(
    ({ metadata }) => metadata.name === 'shop-migrations' && metadata.annotations['helm.sh/hook'],
  )
  expect(needed.map(({ kind }) => kind).sort()).toEqual(['Job', 'NetworkPolicy', 'Secret', 'ServiceAccount'])
  for (const { kind, metadata } of needed) {
    expect(metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(metadata.annotations['helm.sh/hook-weight'] ?? '0').toBe(kind === 'Job' ? '0' : '-5')
  }
  expect(podsOf(needed)[0]?.pod.containers[0]?.['command']).toEqual(['node', 'services/profile/src/migrate.ts'])
  const without = render('minimal', ['migrations.enabled=false'])
  expect(without.map(({ metadata }) => metadata.name)).not.toContain('try-parley-migrations')
})

test('a changed setting starts the pods anew that read it, and no others', () => {
  const checksums = (sets: readonly string[]) =>
    Object.fromEntries(
      ofKind(render('minimal', sets), 'Deployment').map(({ metadata, spec }) => [
        metadata.name,
        z
          .object({ template: z.object({ metadata: z.object({ annotations: z.record(z.string(), z.string()) }) }) })
          .parse(spec).template.metadata.annotations['checksum/config'],
      ]),
    )
  const before = checksums([])
  const after = checksums(['bff.passwordSignIn=hosted'])
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['try-parley-bff'])
})

test('images come from the mirror, by digest or tag', () => {
  const images = podsOf(ofKind(render('mirror'), 'Deployment')).map(({ pod }) => pod.containers[0]?.image)
  expect(images).toEqual([
    expect.stringMatching(/^mirror\.example\.com\/parley\/parley\/bff@sha256:0+1$/),
    'mirror.example.com/parley/parley/profile:1.2.3',
    'mirror.example.com/parley/parley/identity:0.1.0',
  ])
})

test('every pod trusts the own CA', () => {
  for (const example of ['own-ca', 'own-ca-secret']) {
    const pods = podsOf(render(example))
    expect(pods).toHaveLength(5)
    for (const { pod } of pods) expect(JSON.stringify(pod['volumes'])).toContain('company-ca')
    for (const { pod } of pods.filter(({ name }) => !name.endsWith('-test')))
      expect(pod.containers[0]?.env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/parley/ca/ca.crt' })
  }
})

test('the notes warn of secrets in plain', () => {
  const notes = (example: string) =>
    run('helm', ['install', 'try', chartFolder, '--dry-run=client', '--values', exampleFile(example)]).output
  expect(notes('plain-secrets')).toContain('Given in plain, and so kept in the release')
  expect(notes('minimal')).toContain('helm test try')
  expect(notes('minimal')).not.toContain('Given in plain')
})
