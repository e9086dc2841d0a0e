import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { programPath } from '../tools/folders.ts'
import { definitionNames, neighbours } from './neighbours.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly kubeconfig: string
  }
}

/** Components of a cluster, and the program that each is. */
const components = {
  etcd: 'etcd',
  'kube-apiserver': 'kube-apiserver',
  'kube-controller-manager': 'kube-controller-manager',
  'kube-scheduler': 'kube-scheduler',
  'kwok-controller': 'kwok',
}
const settings = [
  'kube-controller-manager=horizontal-pod-autoscaler-sync-period=2s',
  // The health of the node, which has none, is not reported.
  'kube-controller-manager=node-monitor-grace-period=24h',
]

/**
 * A real Kubernetes API with its controllers and scheduler, and a node that only pretends to run pods, by kwokctl in a throw-away folder:
 * one for the whole run. It goes when the run ends, also when that is interrupted. @throws with what kwokctl said.
 */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kubernetes-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const env = { ...process.env, KWOK_WORKDIR: folder, KUBECONFIG: kubeconfig }
  const run = (program: string, args: readonly string[], input = '') =>
    execFileSync(programPath(program) ?? program, args, { cwd: folder, env, input, stdio: 'pipe' })
  const stop = () => {
    process.off('exit', stop)
    run('kwokctl', ['delete', 'cluster'])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', stop)
  run('kwokctl', [
    ...['create', 'cluster', '--runtime', 'binary', '--wait', '180s', '--kubeconfig', kubeconfig],
    ...Object.entries(components).flatMap(([name, program]) => [`--${name}-binary`, programPath(program) ?? program]),
    ...settings.flatMap((setting) => ['--extra-args', setting]),
    // Needs an etcd that tells of its progress; Debian's does not, and kwok would miss what happens to its pods.
    ...['--kube-feature-gates', 'WatchList=false'],
  ])
  run('kubectl', ['apply', '-f', '-'], JSON.stringify(neighbours))
  run('kubectl', ['wait', '--for=condition=Established', '--timeout=60s', ...definitionNames])
  project.provide('kubeconfig', kubeconfig)
  return stop
}
