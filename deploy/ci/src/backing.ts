import { spawnSync } from 'node:child_process'
import { openEngine } from './containers/engine.ts'
import { root } from './paths.ts'
import type { Report } from './reports.ts'
import { runStage, skipStage } from './stage.ts'

/** The tests on real stores and a real Keycloak once more, with those as containers. */
export async function backingStages(): Promise<Report[]> {
  const name = 'services on containers'
  const engine = await openEngine((line) => console.log(`  ${line}`))
  if (typeof engine === 'string') return [skipStage(name, engine)]
  try {
    await engine.run()
    console.log(`  on ${engine.what}`)
    // The containers end with the process that runs them; the library's own sweeper would be one image more.
    const env = { ...engine.env, TEST_BACKING: 'docker', TESTCONTAINERS_RYUK_DISABLED: 'true' }
    const command = [...engine.inside, 'vitest', 'run', '--project', 'services', '--project', 'long']
    const report = await runStage({ name, command, live: true, env })
    // Run in the engine's network; it writes the reports of its stages itself.
    const [file = '', ...args] = [...engine.inside, process.execPath, 'deploy/ci/src/ci.ts', 'keycloak']
    const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    if (status !== 0) process.exitCode = 1
    return [report]
  } finally {
    await engine.close()
  }
}
