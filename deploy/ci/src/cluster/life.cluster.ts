import { spawn } from 'node:child_process'
import { deployedNames } from '@parley/processes/processes'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { chartFolder, exampleFile } from '../chart/render.ts'
import { contents, helm, kubectl, query, restrictedNamespace, tool } from './kubernetes.ts'

/** One release through its life, in the order of the tests. */
const namespace = 'life'
const inNamespace = ['--namespace', namespace]
const change = (verb: 'install' | 'upgrade', ...more: string[]) =>
  helm(
    verb,
    'parley',
    chartFolder,
    ...inNamespace,
    '--values',
    exampleFile('minimal'),
    '--wait',
    '--timeout',
    '5m',
    ...more,
  )

const componentOf = '{.metadata.labels.app\\.kubernetes\\.io/component}'
/** Component and identity of each pod of the servers that is not on its way out. */
const pods = async () =>
  (
    await query(
      namespace,
      'pods',
      `{range .items[*]}${componentOf} {.metadata.uid} {.metadata.deletionTimestamp}{"\\n"}{end}`,
    )
  )
    .map((line) => line.trim())
    .filter((line) => line.split(' ').length === 2)
    .sort()
const podsOf = async (component: string) => (await pods()).filter((line) => line.startsWith(`${component} `))
const setting = async (name: string) => query(namespace, 'configmap/parley-bff', `{.data.${name}}`)
/** Migration jobs that have completed so far; Helm deletes each, the event stays. */
const migrationsRun = async () =>
  (await query(namespace, 'events', '{range .items[?(@.reason=="Completed")]}{.involvedObject.uid}{"\\n"}{end}')).length

beforeAll(async () => {
  await restrictedNamespace(namespace)
  await change('install')
})

test('the migrations have run before, as a Job that is gone again', async () => {
  expect(await migrationsRun()).toBe(1)
  expect((await contents(namespace)).filter((name) => name.includes('migrations'))).toEqual([])
  expect(await query(namespace, 'jobs', '{range .items[*]}{.metadata.name}{"\\n"}{end}')).toEqual([])
})

test('two pods of each server run, and a drained node may take one', async () => {
  await expect.poll(async () => (await pods()).length, { timeout: 60_000 }).toBe(2 * deployedNames.length)
  const budgets = '{range .items[*]}{.metadata.name} {.status.disruptionsAllowed}/{.status.expectedPods}{"\\n"}{end}'
  await expect
    .poll(() => query(namespace, 'poddisruptionbudgets', budgets), { timeout: 60_000 })
    .toEqual(deployedNames.map((name) => `parley-${name} 1/2`).sort())
})

test('a second eviction waits until the first pod has been replaced', async () => {
  const [first, second] = await query(
    namespace,
    'pods',
    '{range .items[?(@.metadata.labels.app\\.kubernetes\\.io/component=="bff")]}{.metadata.name}{"\\n"}{end}',
  )
  // No successor becomes ready without the scheduler: the node takes no more pods.
  await kubectl('cordon', 'fake-0')
  onTestFinished(async () => {
    await kubectl('uncordon', 'fake-0')
    await expect.poll(async () => (await podsOf('bff')).length, { timeout: 60_000 }).toBe(2)
  })
  const evict = (name = '') => {
    const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } })
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
    return tool('kubectl', ['create', '--raw', path, '-f', '-'], body)
  }
  expect((await evict(first)).code).toBe(0)
  await expect
    .poll(() => query(namespace, 'poddisruptionbudgets/parley-bff', '{.status.disruptionsAllowed}'), {
      timeout: 60_000,
    })
    .toEqual(['0'])
  expect(await evict(second)).toMatchObject({ code: 1, output: expect.stringContaining('disruption budget') })
})

test('an upgrade with the same values starts no pod anew', async () => {
  await expect.poll(async () => (await pods()).length, { timeout: 60_000 }).toBe(2 * deployedNames.length)
  const before = await pods()
  await change('upgrade')
  expect(await pods()).toEqual(before)
})

test('a changed setting replaces the pods that read it, one by one, and no others', async () => {
  const before = await pods()
  const available = watchAvailable('parley-bff')
  await expect.poll(() => available().length, { timeout: 60_000 }).toBeGreaterThan(0)
  const ran = await migrationsRun()
  await change('upgrade', '--set', 'bff.passwordSignIn=hosted')
  const gone = async () => {
    const after = await pods()
    return before.filter((pod) => !after.includes(pod)).map((pod) => pod.split(' ')[0])
  }
  await expect.poll(gone, { timeout: 60_000 }).toEqual(['bff', 'bff'])
  expect(await setting('PASSWORD_SIGN_IN')).toEqual(['hosted'])
  expect(await migrationsRun()).toBe(ran + 1)
  // maxUnavailable 0: at no moment fewer than before.
  await expect.poll(() => available().length, { timeout: 60_000 }).toBeGreaterThan(1)
  expect(Math.min(...available())).toBe(2)
})

test('a rollback brings the setting back, with pods that read it', async () => {
  const before = await podsOf('bff')
  await helm('rollback', 'parley', '1', ...inNamespace, '--wait', '--timeout', '5m')
  expect(await setting('PASSWORD_SIGN_IN')).toEqual(['direct'])
  await expect.poll(async () => (await podsOf('bff')).length, { timeout: 60_000 }).toBe(2)
  expect((await podsOf('bff')).filter((pod) => before.includes(pod))).toEqual([])
})

test('where the migrations do not end, the upgrade stops and the old pods go on', async () => {
  const before = await pods()
  const never = ['--set', 'pods.nodeSelector.parley=nowhere', '--set', 'migrations.activeDeadlineSeconds=30']
  const args = [
    'upgrade',
    'parley',
    chartFolder,
    ...inNamespace,
    '--values',
    exampleFile('minimal'),
    '--timeout',
    '5m',
    ...never,
  ]
  const { code, output } = await tool('helm', args)
  expect([code, output]).toEqual([1, expect.stringMatching(/pre-upgrade hooks failed/)])
  expect(await pods()).toEqual(before)
  await change('upgrade')
  expect(await pods()).toEqual(before)
})

test('nothing is left when it goes', async () => {
  await helm('uninstall', 'parley', ...inNamespace, '--wait', '--timeout', '5m')
  await expect.poll(() => contents(namespace), { timeout: 60_000, interval: 500 }).toEqual([])
})

/** Records the number of available pods, at each change of the deployment's status, until the test ends. */
function watchAvailable(deployment: string): () => number[] {
  const path = 'jsonpath={.status.availableReplicas}{"\\n"}'
  const args = [...inNamespace, 'get', 'deployment', deployment, '--watch', '--output', path]
  const child = spawn('kubectl', args, { env: { ...process.env, KUBECONFIG: inject('kubeconfig') } })
  onTestFinished(() => void child.kill())
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk))
  return () => text.split('\n').slice(0, -1).map(Number)
}
