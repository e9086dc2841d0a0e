import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chartFolder, deployedBy, exampleFile, examples, renderText } from '../chart/render.ts'
import { apply, contents, helm, kubectl, query, restrictedNamespace, spoiledChart, tool } from './kubernetes.ts'

describe.each(examples)('%s', (example) => {
  const values = join(chartFolder, 'ci', example)
  const namespace = example.replace('-values.yaml', '')

  test('is taken by strict validation on the server', async () => {
    await restrictedNamespace(`dry-${namespace}`)
    const text = renderText(values).replaceAll('namespace: demo', `namespace: dry-${namespace}`)
    const output = await apply(
      text,
      ...['--namespace', `dry-${namespace}`, '--dry-run=server', '--server-side', '--validate=strict'],
    )
    expect(output).not.toMatch(/warning/i)
    expect(output).toMatch(/deployment\.apps\/\S+-messaging serverside-applied \(server dry run\)/)
  })

  test('installs where only restricted pods are admitted, and leaves nothing when it goes', async () => {
    await restrictedNamespace(namespace)
    const inNamespace = ['--namespace', namespace]
    await helm('install', 'try', chartFolder, ...inNamespace, '--values', values, '--wait', '--timeout', '5m')
    const ready = await query(
      namespace,
      'deployments',
      '{range .items[*]}{.metadata.name} {.status.availableReplicas}{"\\n"}{end}',
    )
    expect(ready).toHaveLength(deployedBy(example).length)
    for (const line of ready) expect(line).toMatch(new RegExp(`-(${deployedBy(example).join('|')}) [1-9]\\d*$`))
    await helm('uninstall', 'try', ...inNamespace, '--wait', '--timeout', '5m')
    await expect.poll(() => contents(namespace), { timeout: 60_000, interval: 500 }).toEqual([])
  })
})

describe('the proof itself', () => {
  test('a pod that is less than restricted is rejected', async () => {
    const namespace = await restrictedNamespace('planted-privilege')
    const chart = spoiledChart('_pod.tpl', 'allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true')
    const pod = renderText(exampleFile('minimal'), [], chart)
      .split(/^---$/m)
      .find((text) => /^kind: Pod$/m.test(text))
    const args = ['apply', '--namespace', namespace, '-f', '-']
    const text = (pod ?? '').replaceAll('namespace: demo', `namespace: ${namespace}`)
    const { code, output } = await tool('kubectl', args, text)
    expect(code).not.toBe(0)
    expect(output).toMatch(/violates PodSecurity "restricted.*allowPrivilegeEscalation/)
    expect(await contents(namespace)).toEqual([])
  })

  test('a typo is caught by strict validation and by an installation', async () => {
    const namespace = await restrictedNamespace('planted-typo')
    const chart = spoiledChart('deployments.yaml', 'livenessProbe:', 'livenesProbe:')
    const text = renderText(exampleFile('bare'), [], chart)
    const dryRun = ['apply', '--namespace', namespace, '--dry-run=server', '--validate=strict', '-f', '-']
    const strict = await tool('kubectl', dryRun, text.replaceAll('namespace: demo', `namespace: ${namespace}`))
    expect([strict.code, strict.output]).toEqual([1, expect.stringContaining('livenesProbe')])
    const install = ['install', 'try', chart, '--namespace', namespace, '--values', exampleFile('bare')]
    const installed = await tool('helm', install)
    expect([installed.code, installed.output]).toEqual([1, expect.stringContaining('livenesProbe')])
  })

  test.each([
    ['an unknown value', 'publicOrgin=https://x.example.com', 'publicOrgin'],
    ['values that contradict each other', 'ingress.enabled=true', 'networkPolicy.ingressController is empty'],
    ['a missing value', 'keycloak.issuer=', 'keycloak.issuer is missing'],
  ])('%s makes nothing at all', async (_what, set, sentence) => {
    const namespace = await restrictedNamespace(`refused-${sentence.slice(0, 8).replaceAll(/[^a-z]/g, '')}`)
    const install = ['install', 'try', chartFolder, '--namespace', namespace, '--values', exampleFile('minimal')]
    const { code, output } = await tool('helm', [...install, '--set', set])
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)])
    expect(await contents(namespace)).toEqual([])
    await kubectl('delete', 'namespace', namespace, '--wait=false')
  })
})
