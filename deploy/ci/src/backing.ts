import { openEngine } from './containers/engine.ts'
import { runStage, type StageReport, skipStage } from './stage.ts'

/** The tests on real stores and a real Keycloak once more, with those as containers: what `TEST_BACKING=docker npm test` adds. */
const services = 'services on containers'
const keycloak = 'Keycloak as a container'

async function backing(): Promise<StageReport[]> {
  const engine = await openEngine((line) => console.log(`  ${line}`))
  if (typeof engine === 'string') return [services, keycloak].map((name) => skipStage(name, engine))
  try {
    await engine.run()
    console.log(`  on ${engine.what}`)
    // The containers end with the process that runs them; the library's own sweeper would be one image more.
    const env = { ...engine.env, TEST_BACKING: 'docker', TESTCONTAINERS_RYUK_DISABLED: 'true' }
    return [
      await runStage({
        name: services,
        command: [...engine.inside, 'vitest', 'run', '--project', 'services'],
        counts: 'vitest',
        live: true,
        env,
      }),
      await runStage({
        name: keycloak,
        command: [...engine.inside, 'node', 'deploy/ci/src/keycloak.ts'],
        live: true,
        env,
      }),
    ]
  } finally {
    await engine.close()
  }
}

const reports = await backing()
process.exitCode = reports.some(({ failed }) => failed > 0) ? 1 : 0
