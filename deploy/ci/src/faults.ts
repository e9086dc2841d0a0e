import { runStage } from './stage.ts'

/** Parts that go away, come late or fill up, and an operator's jobs, under real processes. */
const report = await runStage({
  name: 'faults',
  command: ['vitest', 'run', '--project', 'faults'],
  counts: 'vitest',
  live: true,
})
process.exitCode = report.failed > 0 ? 1 : 0
