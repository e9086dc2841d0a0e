import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@parley/service-kit/testing/free-port'
import { definitionNames, neighbours } from '../src/cluster/neighbours.ts'
import { programPath } from '../src/tools/folders.ts'

/** Long, for a machine whose cores are busy: a server that has died is noticed at once. */
const startLimitMs = 180_000

/**
 * A real Kubernetes API with its controllers and scheduler, and a node that only pretends to run pods: etcd, API server, controllers,
 * scheduler and kwok on loopback, in a throw-away folder. Everybody is an administrator.
 * @throws with the last lines of what did not start; everything else is stopped then.
 */
export async function startApiServer() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kubernetes-'))
  const running: ChildProcess[] = []
  // A test run that is cut short ends without its teardown.
  const killAll = () => running.forEach((child) => void child.kill('SIGKILL'))
  process.once('exit', killAll)
  const stop = async () => {
    await Promise.all(running.toReversed().map(end))
    process.off('exit', killAll)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const start = (program: string, args: readonly string[]) => {
    const log = join(folder, `${program}.log`)
    const output = openSync(log, 'a')
    const child = spawn(programPath(program) ?? program, args, { cwd: folder, stdio: ['ignore', output, output] })
    // A program that cannot be started has no exit; whoever waits for it says what is missing.
    child.on('error', () => undefined)
    running.push(child)
    return { child, tail: () => readFileSync(log, 'utf8').trim().split('\n').slice(-8).join('\n') }
  }
  try {
    const [etcd, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
    start('etcd', [
      ...['--data-dir', 'etcd', '--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`, '--unsafe-no-fsync'],
    ])
    const privateKeyEncoding = { type: 'pkcs1', format: 'pem' } as const
    const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding, publicKeyEncoding })
    writeFileSync(join(folder, 'accounts.key'), privateKey)
    const token = randomBytes(16).toString('hex')
    writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`)
    const port = String(await freePort())
    const api = start('kube-apiserver', [
      ...['--etcd-servers', etcd, '--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1'],
      // It makes its certificate itself.
      ...['--secure-port', port, '--cert-dir', 'certificates', '--token-auth-file', 'tokens.csv'],
      ...['--service-account-key-file', 'accounts.key', '--service-account-signing-key-file', 'accounts.key'],
      ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-cluster-ip-range', '10.96.0.0/16'],
      ...['--authorization-mode', 'RBAC', '--endpoint-reconciler-type', 'none'],
      // Needs an etcd that tells of its progress; Debian's does not, and kwok would miss what happens to its pods.
      '--feature-gates=WatchList=false',
    ])
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(`https://127.0.0.1:${port}`, token)))
    await untilReady(kubeconfig, api)
    start('kube-controller-manager', [
      ...['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0', '--use-service-account-credentials'],
      ...['--service-account-private-key-file', 'accounts.key', '--root-ca-file', 'certificates/apiserver.crt'],
      '--horizontal-pod-autoscaler-sync-period=2s',
      // Nobody reports the health of the node, which has none.
      '--node-monitor-grace-period=24h',
    ])
    start('kube-scheduler', ['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0'])
    start('kwok', [
      ...['--kubeconfig', kubeconfig, '--manage-all-nodes=false'],
      '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    ])
    addNeighbours(kubeconfig)
    return { kubeconfig, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const kubeconfigOf = (server: string, token: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'admin', user: { token } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
  'current-context': 'test',
})

async function untilReady(
  kubeconfig: string,
  { child, tail }: { child: ChildProcess; tail: () => string },
): Promise<void> {
  const giveUpAt = performance.now() + startLimitMs
  const ready = () => kubectl(kubeconfig, ['get', '--raw', '/readyz']).status === 0
  while (!ready()) {
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`the API server did not start:\n${tail()}`)
    await wait(500)
  }
}

function addNeighbours(kubeconfig: string): void {
  const calls = [
    kubectl(kubeconfig, ['apply', '-f', '-'], JSON.stringify(neighbours)),
    kubectl(kubeconfig, ['wait', '--for=condition=Established', '--timeout=60s', ...definitionNames]),
  ]
  for (const { status, stderr } of calls) if (status !== 0) throw new Error(`the API server took no object: ${stderr}`)
}

const kubectl = (kubeconfig: string, args: readonly string[], input = '') =>
  spawnSync(programPath('kubectl') ?? 'kubectl', ['--kubeconfig', kubeconfig, ...args], { input, encoding: 'utf8' })

/** SIGTERM, then SIGKILL: nothing of a throw-away cluster is worth waiting for. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(impatience)
}
