import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { composeCommand, type Engine, run, succeeds } from './containers/command.ts'
import { openEngine } from './containers/engine.ts'
import { buildOurImages, nodeVersion } from './containers/our-images.ts'
import type { Report } from './reports.ts'
import { runStage, skipStage } from './stage.ts'
import { programPath } from './tools/folders.ts'
import { goTool } from './tools/programs.ts'

const stages = {
  images: 'images',
  stack: 'compose stack',
  messages: 'messages on compose',
  browser: 'journey on compose',
  load: 'smoke load on compose',
  metrics: 'metrics on compose',
  traces: 'traces on compose',
}
const ofStack = ['compose.containers.ts', 'keys.containers.ts', 'backup.containers.ts', 'redis.containers.ts']
const log = (line: string) => console.log(`  ${line}`)

/** Builds the images and looks into them; starts them by compose, walks through the app in a browser, kills and stops them. */
export async function containerStages({ onlyImages = false } = {}): Promise<Report[]> {
  const engine = await openEngine(log)
  if (typeof engine === 'string')
    return (onlyImages ? [stages.images] : Object.values(stages)).map((name) => skipStage(name, engine))
  try {
    return await onEngine(engine, onlyImages)
  } finally {
    await engine.close()
  }
}

async function onEngine(engine: Engine, onlyImages: boolean): Promise<Report[]> {
  log(engine.what)
  const planted = await buildOurImages(engine, log)
  await engine.run()
  const program = onlyImages ? undefined : await findCompose(engine)
  const env = {
    ...engine.env,
    PARLEY_DOCKER: engine.client,
    PARLEY_PLANTED: planted,
    NODE_IMAGE: nodeImage(engine),
    PARLEY_COMPOSE: program ?? 'none',
  }
  const tests = (name: string, ...files: string[]) =>
    runStage({
      name,
      command: [...engine.inside, 'vitest', 'run', '--project', 'containers', '--no-file-parallelism', ...files],
      live: true,
      env,
    })
  const reports = [await tests(stages.images, 'images.containers.ts')]
  if (onlyImages) return reports
  if (!program) {
    const others = Object.values(stages).filter((name) => name !== stages.images)
    return [...reports, ...others.map((name) => skipStage(name, 'no docker compose, and none could be built'))]
  }
  const compose = (...args: string[]) => [...engine.inside, ...composeCommand(program, args)]
  const forget = () => run(compose('--profile', 'observability', '--profile', 'load', 'down', '--volumes'), { env })
  try {
    await forget()
    reports.push(await tests(stages.stack, ...ofStack))
    // Started here, so that it has seen the journey and the load by the time that it is asked.
    await run(compose('--profile', 'observability', 'up', '--detach', '--no-build', 'prometheus'), { env })
    reports.push(await tests(stages.messages, 'messages.containers.ts'))
    reports.push(await journey(engine, env))
    reports.push(await load(engine, env, compose('--profile', 'load', 'run', '--rm', '-T', 'k6')))
    reports.push(await tests(stages.metrics, 'metrics.containers.ts'))
    reports.push(
      engine.isOffline
        ? skipStage(stages.traces, 'no registry to pull the image of the collector from')
        : await tests(stages.traces, 'traces.containers.ts'),
    )
    return reports
  } finally {
    await forget()
  }
}

function nodeImage({ env }: Engine): string {
  return env['NODE_IMAGE'] ?? `node:${nodeVersion}-bookworm-slim`
}

function journey(engine: Engine, env: Record<string, string>): Promise<Report> | Report {
  if (!chromiumPath(existsSync)) return skipStage(stages.browser, 'no Chromium on this machine')
  const command = [...engine.inside, 'playwright', 'test', '--config', 'deploy/e2e/compose.config.ts']
  return runStage({ name: stages.browser, command, live: true, env: { ...env, KEYCLOAK: 'real' } })
}

/** Runs the load. Two cores carry a Keycloak that hashes passwords beside all the rest: errors are judged as ever, times hardly. */
async function load(engine: Engine, env: Record<string, string>, command: readonly string[]): Promise<Report> {
  if (engine.isOffline && !Object.hasOwn(engine.env, 'K6_IMAGE'))
    return skipStage(stages.load, goTool('k6') ?? 'k6 is not the pinned version')
  // The kept session waits until its token is to be renewed: 15 seconds instead of three and a half minutes.
  await run([...engine.inside, 'node', 'deploy/ci/src/short-tokens.ts'], { env })
  const pace = { SHAPE: 'smoke', RATE: '0.5', THRESHOLD_FACTOR: '10' }
  return runStage({ name: stages.load, command, live: true, env: { ...env, ...pace } })
}

/** The plugin, or the program that runs alone, which is built where there is none. */
export async function findCompose({ client, env }: Pick<Engine, 'client' | 'env'>): Promise<string | undefined> {
  if (await succeeds([client, 'compose', 'version'], { env })) return `${client} compose`
  return goTool('docker-compose') === undefined ? programPath('docker-compose') : undefined
}
