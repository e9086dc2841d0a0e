import { existsSync } from 'node:fs'
import { chromiumPath } from '../../e2e/src/chromium.ts'
import { run, succeeds } from './containers/command.ts'
import { type Engine, openEngine } from './containers/engine.ts'
import { nodeVersion } from './containers/offline-images.ts'
import { addedMegabytes, buildOurImages, ourImages, tag } from './containers/our-images.ts'
import { failStage, runStage, type StageReport, skipStage } from './stage.ts'
import { programPath, toolsPath } from './tools/folders.ts'
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
}
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
  const stop = () => void engine.close().finally(() => process.exit(1))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    say(engine.what)
    const planted = await buildOurImages(engine, say)
    await sayFigures(engine)
    await engine.run()
    const composeCommand = onlyImages ? undefined : await findCompose(engine)
    const env = { ...engine.env, PARLEY_DOCKER: engine.client, PARLEY_PLANTED: planted, NODE_IMAGE: nodeImage(engine) }
    const handed = { ...env, PARLEY_COMPOSE: composeCommand ?? 'none' }
    const tests = (file: string) => [...engine.inside, 'vitest', 'run', '--project', 'containers', file]
    const common = { counts: 'vitest', live: true, env: handed } as const
    reports.push(await runStage({ ...common, name: stages.images, command: tests('images.containers.ts') }))
    if (onlyImages) return
    if (!composeCommand) {
      const why = 'no docker compose, and none could be installed'
      reports.push(...[stages.stack, stages.browser, stages.load].map((name) => skipStage(name, why)))
      return
    }
    await onCompose(engine, handed, tests('compose.containers.ts'))
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

async function onCompose(engine: Engine, env: Record<string, string>, tests: string[]): Promise<void> {
  const project = ['--project-name', 'parley-ci']
  const compose = (...args: string[]) =>
    run([...engine.inside, ...(env['PARLEY_COMPOSE'] ?? '').split(' '), ...project, ...args], { env })
  try {
    await compose('down', '--volumes')
    const startedAt = performance.now()
    reports.push(await runStage({ name: stages.stack, command: tests, counts: 'vitest', live: true, env }))
    say(`the stack was up, tried and mended after ${Math.round((performance.now() - startedAt) / 1000)} s`)
    reports.push(await walk(engine, env), await load(engine, env))
  } finally {
    await compose('down', '--volumes')
  }
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
async function load(engine: Engine, env: Record<string, string>): Promise<StageReport> {
  const obstacle = goTool('k6')
  if (obstacle) return skipStage(stages.load, obstacle)
  const pace = { SHAPE: 'smoke', RATE: '0.2', THRESHOLD_FACTOR: '10' }
  const target = { TARGET: 'http://localhost:3000', OIDC_ISSUER: 'http://127.0.0.1:8081/realms/parley' }
  const secret = await readMadeSecret(engine, nodeImage(engine), 'svcIdentity')
  const command = [...engine.inside, 'k6', 'run', '--quiet', '--no-usage-report', 'deploy/k6/sign-in.ts']
  const known = { ADMIN_CLIENT_SECRET: secret, PATH: toolsPath }
  return runStage({ name: stages.load, command, live: true, env: { ...env, ...target, ...pace, ...known } })
}

/** From the volume that only `init` mounts. */
async function readMadeSecret({ client, env }: Engine, image: string, name: string): Promise<string> {
  const code = `JSON.parse(require('node:fs').readFileSync('/made/secrets.json','utf8'))['${name}']`
  const volume = ['--volume', 'parley-ci_secrets-made:/made:ro']
  const command = ['run', '--rm', '--user', '0', '--network', 'none', ...volume, image, 'node', '-p', code]
  return (await run([client, ...command], { env })).trim()
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
