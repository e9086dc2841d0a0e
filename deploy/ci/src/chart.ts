import { runStage, type StageReport, skipStage } from './stage.ts'
import { toolsPath } from './tools/folders.ts'
import { kubernetesSchemas } from './tools/kubernetes-schemas.ts'
import { goTool, promtool } from './tools/programs.ts'

/** The Helm chart against Kubernetes' schemas, and the alerts. Obtains what the machine lacks. */
const env = { PATH: toolsPath }

async function chart(): Promise<StageReport> {
  const name = 'chart'
  const obstacles = [goTool('helm'), goTool('kubeconform')].flatMap((reason) => reason ?? [])
  if (obstacles.length === 0) obstacles.push(...[kubernetesSchemas()].flatMap((reason) => reason ?? []))
  if (obstacles.length > 0) return skipStage(name, obstacles.join('; '))
  return runStage({ name, command: ['vitest', 'run', '--project', 'chart'], counts: 'vitest', env })
}

async function alerts(): Promise<StageReport> {
  const name = 'alert rules'
  const obstacle = promtool()
  if (obstacle) return skipStage(name, obstacle)
  return runStage({
    name,
    command: [
      'sh',
      '-c',
      'promtool check rules helm/parley/files/rules.yaml && promtool test rules deploy/observability/rules.test.yaml && ' +
        'node deploy/ci/src/dashboard-queries.ts | promtool check rules /dev/stdin && ' +
        'promtool check config --syntax-only deploy/observability/compose/prometheus.yml',
    ],
    env,
  })
}

const reports = [await chart(), await alerts()]
process.exitCode = reports.some(({ failed }) => failed > 0) ? 1 : 0
