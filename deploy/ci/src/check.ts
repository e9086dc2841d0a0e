import { runStage, type StageReport } from './stage.ts'

const lanes = [
  [
    { name: 'format and lint', command: ['biome', 'check', '.'] },
    { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
    { name: 'types of the frontend', command: ['tsc', '-p', 'frontend/tsconfig.json'] },
    { name: 'types of the journeys', command: ['tsc', '-p', 'deploy/e2e/tsconfig.json'] },
    { name: 'boundaries', command: ['node', 'deploy/ci/src/boundaries.ts'] },
    { name: 'nothing unused', command: ['knip'] },
  ],
  [
    {
      name: 'unit tests',
      command: ['vitest', 'run', '--project', 'unit'],
      counts: 'vitest' as const,
    },
  ],
]

/** All static checks and the tests of pure logic: two lanes, for two cores. Short enough for every commit. */
export async function check(): Promise<StageReport[]> {
  const reports = lanes.map(async (lane) => {
    const done: StageReport[] = []
    for (const stage of lane) done.push(await runStage(stage))
    return done
  })
  return (await Promise.all(reports)).flat()
}

if (import.meta.main) {
  const startedAt = performance.now()
  const failed = (await check()).filter((report) => report.failed > 0)
  console.log(
    `check: ${failed.length === 0 ? 'green' : `${failed.length} failed`} in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}
