import { runStage, type StageReport, skipStage } from './stage.ts'
import { toolsPath } from './tools/folders.ts'
import { goTool } from './tools/programs.ts'

/** The load test: how it refuses and cleans up, then its smoke shape on a local stack. Builds a missing k6. */
const env = { PATH: toolsPath }

async function load(): Promise<StageReport[]> {
  const [scripts, smoke] = ['load test', 'smoke load']
  const obstacle = goTool('k6')
  if (obstacle) return [scripts, smoke].map((name) => skipStage(name, obstacle))
  return [
    await runStage({ name: scripts, command: ['vitest', 'run', '--project', 'load'], counts: 'vitest', env }),
    await runStage({
      name: smoke,
      command: ['node', 'deploy/k6/src/run.ts'],
      live: true,
      // CI machines are slow and shared: errors are judged as ever, times are not.
      env: { ...env, TARGET: 'local', SHAPE: 'smoke', THRESHOLD_FACTOR: '10' },
    }),
  ]
}

const reports = await load()
process.exitCode = reports.some(({ failed }) => failed > 0) ? 1 : 0
