import { spawnSync } from 'node:child_process'
import { openEngine } from './containers/engine.ts'
import { root } from './paths.ts'
import { runStage, skipStage } from './stage.ts'

/** The tests on real stores and a real Keycloak once more, with those as containers: what `TEST_BACKING=docker npm test` adds. */
const services = 'services on containers'
const keycloak = 'Keycloak as a container'

/** @returns whether something failed. */
async function backing(): Promise<boolean> {
  const engine = await openEngine((line) => console.log(`  ${line}`))
  if (typeof engine === 'string') {
    for (const name of [services, keycloak]) skipStage(name, engine)
    return false
  }
  try {
    await engine.run()
    console.log(`  on ${engine.what}`)
    // The containers end with the process that runs them; the library's own sweeper would be one image more.
    const env = { ...engine.env, TEST_BACKING: 'docker', TESTCONTAINERS_RYUK_DISABLED: 'true' }
    const report = await runStage({
      name: services,
      command: [...engine.inside, 'vitest', 'run', '--project', 'services'],
      counts: 'vitest',
      live: true,
      env,
    })
    // It writes the reports of its stages itself; one more of the whole would count them twice.
    const [file = '', ...args] = [...engine.inside, process.execPath, 'deploy/ci/src/keycloak.ts']
    const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    return report.failed > 0 || status !== 0
  } finally {
    await engine.close()
  }
}

process.exitCode = (await backing()) ? 1 : 0
