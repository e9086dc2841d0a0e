import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { run, succeeds } from './containers/command.ts'
import { composeCommand } from './containers/compose-command.ts'
import { type Engine, openEngine } from './containers/engine.ts'
import { nodeVersion } from './containers/offline-images.ts'
import { addedMegabytes, buildOurImages, ourImages, tag } from './containers/our-images.ts'
import { failStage, runStage, type StageReport, skipStage } from './stage.ts'
import { programPath } from './tools/folders.ts'
import { goTool } from './tools/programs.ts'

/**
 * Builds the images and looks into them; starts them by compose, walks through the app in a browser, kills and stops them.
 * `images` as an argument ends after the first half.
 */
const stages = {
  images: 'images',
  stack: 'compose stack',
  browser: 'journey on compose',
  load: 'smoke load on compose',
  figures: 'figures on compose',
  traces: 'traces on compose',
}
const ofStack = ['compose.containers.ts', 'keys.containers.ts', 'backup.containers.ts', 'redis.containers.ts']
const onlyImages = process.argv.includes('images')
const wanted = onlyImages ? [stages.images] : Object.values(stages)
const say = (line: string) => console.log(`  ${line}`)

const engine = await openEngine(say).catch((error: unknown) => (error instanceof Error ? error : String(error)))
const reports: StageReport[] = []
if (typeof engine === 'string') reports.push(...wanted.map((name) => skipStage(name, engine)))
else if (engine instanceof Error) reports.push(...wanted.map((name) => failStage(name, engine.message)))
else await onEngine(engine)
process.exitCode = reports.some(({ failed }) => failed > 0) ? 1 : 0

async function onEngine(engine: Engine): Promise<void> {
  try {
    say(engine.what)
    const planted = await buildOurImages(engine, say)
    await sayFigures(engine)
    await engine.run()
    const program = onlyImages ? undefined : await findCompose(engine)
    const env = { ...engine.env, PARLEY_DOCKER: engine.client, PARLEY_PLANTED: planted, NODE_IMAGE: nodeImage(engine) }
    const handed = { ...env, PARLEY_COMPOSE: program ?? 'none' }
    const vitest = [...engine.inside, 'vitest', 'run', '--project', 'containers', '--no-file-parallelism']
    const tests = (...files: string[]) => [...vitest, ...files]
    const common = { counts: 'vitest', live: true, env: handed } as const
    reports.push(await runStage({ ...common, name: stages.images, command: tests('images.containers.ts') }))
    if (onlyImages) return
    if (!program) {
      const why = 'no docker compose, and none could be installed'
      reports.push(...wanted.filter((name) => name !== stages.images).map((name) => skipStage(name, why)))
      return
    }
    const compose = (...args: string[]) => [...engine.inside, ...composeCommand(program, args)]
    await onCompose(engine, handed, tests, compose)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const missing = wanted.filter((name) => !reports.some((report) => report.name === name))
    reports.push(...missing.map((name) => failStage(name, reason)))
  } finally {
    await engine.close()
  }
}

function nodeImage({ env }: Engine): string {
  return env['NODE_IMAGE'] ?? `node:${nodeVersion}-bookworm-slim`
}

async function onCompose(
  engine: Engine,
  env: Record<string, string>,
  tests: (...files: string[]) => string[],
  compose: (...args: string[]) => string[],
): Promise<void> {
  const stage = (name: string, ...files: string[]) =>
    runStage({ name, command: tests(...files), counts: 'vitest', live: true, env })
  const forget = () => run(compose('--profile', 'observability', '--profile', 'load', 'down', '--volumes'), { env })
  try {
    await forget()
    const startedAt = performance.now()
    reports.push(await stage(stages.stack, ...ofStack))
    say(`the stack was up, tried and mended after ${Math.round((performance.now() - startedAt) / 1000)} s`)
    // Here already, so that it has seen the journey and the load by the time that it is asked.
    await run(compose('--profile', 'observability', 'up', '--detach', '--no-build', 'prometheus'), { env })
    reports.push(
      await walk(engine, env),
      await load(engine, env, compose('--profile', 'load', 'run', '--rm', '-T', 'k6')),
    )
    reports.push(await stage(stages.figures, 'figures.containers.ts'))
    const obstacle = missingImage(engine, 'OTEL_COLLECTOR_IMAGE', 'otelcol')
    reports.push(obstacle ? skipStage(stages.traces, obstacle) : await stage(stages.traces, 'traces.containers.ts'))
  } finally {
    await forget()
  }
}

/** Why there is no image of a program that has to be compiled; upstream's are there to be pulled. */
function missingImage({ env }: Engine, variable: string, program: 'k6' | 'otelcol'): string | undefined {
  if (!env['NODE_IMAGE'] || env[variable]) return undefined
  return goTool(program) ?? `${program} is not the pinned version`
}

function walk(engine: Engine, env: Record<string, string>): Promise<StageReport> | StageReport {
  if (!chromiumPath(existsSync)) return skipStage(stages.browser, 'no Chromium on this machine')
  const command = [...engine.inside, 'playwright', 'test', '--config', 'deploy/e2e/compose.config.ts']
  return runStage({
    name: stages.browser,
    command,
    counts: 'playwright',
    live: true,
    env: { ...env, KEYCLOAK: 'real' },
  })
}

/** Two cores carry a Keycloak that hashes passwords beside all the rest: errors are judged as ever, times hardly. */
async function load(engine: Engine, env: Record<string, string>, command: readonly string[]): Promise<StageReport> {
  const obstacle = missingImage(engine, 'K6_IMAGE', 'k6')
  if (obstacle) return skipStage(stages.load, obstacle)
  // The kept session waits until its token is to be renewed: 15 seconds instead of three and a half minutes.
  await run([...engine.inside, 'node', 'deploy/ci/src/short-tokens.ts'], { env })
  const pace = { SHAPE: 'smoke', RATE: '0.5', THRESHOLD_FACTOR: '10' }
  return runStage({ name: stages.load, command, live: true, env: { ...env, ...pace } })
}

async function sayFigures(engine: Engine): Promise<void> {
  for (const { name, goalMegabytes } of ourImages) {
    const base = goalMegabytes === undefined ? engine.env['KEYCLOAK_IMAGE'] : nodeImage(engine)
    if (!base) continue
    const goal = goalMegabytes === undefined ? '' : ` (goal: ${goalMegabytes})`
    say(`${name}: ${await addedMegabytes(engine, `${name}:${tag}`, base)} MB above ${base}${goal}`)
  }
}

/** The plugin, or the program that runs alone; Debian's older one where there is neither. */
async function findCompose({ client, env }: Engine): Promise<string | undefined> {
  if (await succeeds([client, 'compose', 'version'], { env })) return `${client} compose`
  if (goTool('docker-compose') === undefined) return programPath('docker-compose')
  const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'docker-compose']
  const installed =
    process.getuid?.() === 0 && (await succeeds(install, { env: { DEBIAN_FRONTEND: 'noninteractive' } }))
  return installed ? 'docker-compose' : undefined
}
