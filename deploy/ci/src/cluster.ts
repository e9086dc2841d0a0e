import type { Report } from './reports.ts'
import { runStage, skipStage } from './stage.ts'
import { programPath, toolsPath } from './tools/folders.ts'
import { goTool } from './tools/programs.ts'

const programs = [
  'helm',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'kwokctl',
] as const

/**
 * The chart on a real Kubernetes API with fake nodes: objects, admission, controllers, roll-outs. No kubelet: probes, network
 * policies and the Ingress are objects there and nothing more. `--full` builds what is missing, minutes of Go.
 */
export async function clusterStages(): Promise<Report[]> {
  const name = 'chart on an API server with fake nodes'
  const obstacles = [
    ...(programPath('etcd') ? [] : ['no etcd on the PATH (Debian: etcd-server)']),
    ...(programPath('openssl') ? [] : ['no openssl on the PATH']),
    ...programs.flatMap((program) => goTool(program) ?? []),
  ]
  if (obstacles.length > 0) return [skipStage(name, obstacles.join('; '))]
  return [await runStage({ name, command: ['vitest', 'run', '--project', 'cluster'], env: { PATH: toolsPath } })]
}
