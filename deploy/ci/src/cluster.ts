import { runStage, skipStage } from './stage.ts'
import { programPath, toolsPath } from './tools/folders.ts'
import { goTool } from './tools/programs.ts'

/**
 * The chart on a real Kubernetes API with fake nodes: objects, admission, controllers, roll-outs. No kubelet: probes, network
 * policies and the Ingress are objects there and nothing more. `--full` builds what is missing, minutes of Go.
 */
const name = 'chart on an API server with fake nodes'
const full = process.argv.includes('--full')

const programs = ['helm', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl', 'kwok'] as const
const obstacles = [
  ...(programPath('etcd') ? [] : ['no etcd on the PATH (Debian: etcd-server)']),
  ...(programPath('openssl') ? [] : ['no openssl on the PATH']),
  ...programs.flatMap((program) => goTool(program, full) ?? []),
]
const { failed } =
  obstacles.length > 0
    ? skipStage(name, obstacles.join('; '))
    : await runStage({
        name,
        command: ['vitest', 'run', '--project', 'cluster'],
        counts: 'vitest',
        env: { PATH: toolsPath },
      })
process.exitCode = failed > 0 ? 1 : 0
