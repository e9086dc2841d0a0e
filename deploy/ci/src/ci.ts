import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { attackTests, keycloakStages, providerJourneys, runsJourneysOnKeycloak, specFile } from './keycloak.ts'
import type { Report } from './reports.ts'
import { failStage, runStage, secondsLeft, skipStage } from './stage.ts'
import { toolsPath } from './tools/folders.ts'
import { kubernetesSchemas } from './tools/kubernetes-schemas.ts'
import { goTool, promtool } from './tools/programs.ts'

/**
 * `node deploy/ci/src/ci.ts <stage> …`: runs stages of the proof one after the other, with `--lanes` two at a time. `--full`
 * obtains what takes long to obtain.
 * `--once` leaves to the stage `keycloak` what that proves anyway, where a Keycloak runs. CI_ENDS, in seconds since 1970, is when the
 * proof has to be over: what would begin later is skipped.
 */
const stages: Readonly<Record<string, () => Promise<readonly Report[]>>> = {
  types,
  check,
  screens: () => one(vitest('screens', 'web')),
  services,
  /** Services under attack, and whatever of them takes its time. */
  long: async () => one(vitest('long', 'long', (await leftToKeycloak()) ? ['--exclude', `${attackTests}/**`] : [])),
  /** Components that go away, come late or fill up, and an operator's jobs, under real processes. */
  faults: () => one(vitest('faults', 'faults')),
  main: () => one(inBrowser('main journey', ['--grep', '@main'])),
  journeys: async () => {
    const left = (await leftToKeycloak()) ? providerJourneys.map(specFile) : []
    return one(inBrowser('journeys', ['--grep-invert', ['@main', ...left].join('|')]))
  },
  size,
  lighthouse,
  tools,
  chart,
  load,
  keycloak: keycloakStages,
  containers: async () => (await import('./containers.ts')).containerStages(),
  images: async () => (await import('./containers.ts')).containerStages({ onlyImages: true }),
  cluster: async () => (await import('./cluster.ts')).clusterStages(),
  backing: async () => (await import('./backing.ts')).backingStages(),
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = wanted.filter((name) => !Object.hasOwn(stages, name))
if (wanted.length === 0 || unknown.length > 0) {
  console.error(`${unknown.join(', ') || 'No stage'}: the stages are ${Object.keys(stages).join(', ')}.`)
  process.exitCode = 2
} else {
  const startedAt = performance.now()
  const reports: Report[] = []
  const waiting = [...wanted]
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        const stage = secondsLeft() > 0 ? await stages[name]?.() : [skipStage(name, 'the time for the proof is over')]
        reports.push(...(stage ?? []))
      } catch (error) {
        // The stages behind it run all the same.
        reports.push(failStage(name, error instanceof Error ? error.message : String(error)))
      }
    }
  }
  // Two, for two cores: much of a stage is waiting for a browser, for processes or timers.
  await Promise.all(process.argv.includes('--lanes') ? [lane(), lane()] : [lane()])
  const failed = reports.filter(({ failures }) => failures.length > 0).map(({ name }) => name)
  const verdict = failed.length > 0 ? `failed: ${failed.join(', ')}` : 'green'
  console.log(`${wanted.join(', ')}: ${verdict} in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

async function one(report: Promise<Report> | Report): Promise<Report[]> {
  return [await report]
}

function vitest(name: string, project: string, choice: readonly string[] = []): Promise<Report> {
  const command = ['vitest', 'run', '--project', project, ...choice]
  return runStage({ name, command, live: true, env: { PATH: toolsPath } })
}

async function leftToKeycloak(): Promise<boolean> {
  return process.argv.includes('--once') && (await runsJourneysOnKeycloak())
}

/** With TEST_BACKING=docker what needs a real Keycloak too, which is a container then. */
async function services(): Promise<Report[]> {
  const report = await vitest('services', 'services')
  if (process.env['TEST_BACKING'] !== 'docker') return [report]
  return [report, ...(await keycloakStages())]
}

function inBrowser(name: string, choice: readonly string[]): Promise<Report> | Report {
  if (!chromiumPath(existsSync)) return noChromium(name)
  return runStage({ name, command: ['playwright', 'test', '--config', 'deploy/e2e', ...choice], live: true })
}

function noChromium(name: string): Report {
  return skipStage(name, 'no Chromium on this machine: install it, or name it in CHROMIUM_PATH')
}

function types(): Promise<Report[]> {
  const projects = [
    'tsconfig.json',
    'frontend/tsconfig.json',
    'deploy/e2e/tsconfig.json',
    'services/simulator/src/page/client/tsconfig.json',
  ]
  return Promise.all(
    projects.map((project) =>
      runStage({ name: `types of ${project.replaceAll('/', ' ')}`, command: ['tsc', '-p', project] }),
    ),
  )
}

/** All static checks and the tests of pure logic: two lanes, for two cores. Short enough for every commit. */
async function check(): Promise<Report[]> {
  const checks = async () => [
    await runStage({ name: 'format and lint', command: ['biome', 'check', '.'] }),
    ...(await types()),
    await runStage({ name: 'boundaries', command: ['node', 'deploy/ci/src/boundaries.ts'] }),
    await runStage({ name: 'nothing unused', command: ['knip'] }),
  ]
  const unit = runStage({ name: 'unit tests', command: ['vitest', 'run', '--project', 'unit'] })
  return [...(await checks()), await unit]
}

/** A fresh build, held against the budgets of first load. */
async function size(): Promise<Report[]> {
  return [
    await runStage({ name: 'build', command: ['npm', 'run', 'build'] }),
    await runStage({ name: 'first load', command: ['npm', 'run', '--silent', 'size'], live: true }),
  ]
}

/** Scores of the landing page and the dashboard. Lighthouse has a lock of its own, installed here alone. */
async function lighthouse(): Promise<Report[]> {
  const name = 'lighthouse'
  if (!chromiumPath(existsSync)) return [noChromium(name)]
  return one(runStage({ name, command: ['npm', 'run', 'lighthouse'], live: true }))
}

/**
 * Obtains what chart, load, Keycloak, containers and the bucket of files need: two lanes would fetch the same file, and an output
 * that nobody reads while a program is built holds up the stage beside. What is missing, those stages say.
 */
async function tools(): Promise<Report[]> {
  for (const program of ['helm', 'helm-unittest', 'kubeconform', 'k6', 'versitygw'] as const) goTool(program)
  kubernetesSchemas()
  promtool()
  await runsJourneysOnKeycloak()
  await (await import('./containers.ts')).findCompose({ client: 'docker', env: {} })
  return []
}

/** The Helm chart against Kubernetes' schemas, and the alerts. Obtains what the machine lacks. */
async function chart(): Promise<Report[]> {
  const env = { PATH: toolsPath }
  const obstacle = goTool('helm') ?? goTool('kubeconform') ?? kubernetesSchemas()
  const noUnittest = goTool('helm-unittest')
  const noPromtool = promtool()
  const rules =
    'promtool check rules helm/parley/files/rules.yaml && promtool test rules deploy/observability/rules.test.yaml && ' +
    'node deploy/ci/src/dashboard-queries.ts | promtool check rules /dev/stdin && ' +
    'promtool check config --syntax-only deploy/observability/compose/prometheus.yml'
  return [
    noUnittest
      ? skipStage('chart, unit tests', noUnittest)
      : await runStage({ name: 'chart, unit tests', command: ['helm-unittest', 'helm/parley'], env }),
    obstacle ? skipStage('chart', obstacle) : await vitest('chart', 'chart'),
    noPromtool
      ? skipStage('alert rules', noPromtool)
      : await runStage({ name: 'alert rules', command: ['sh', '-c', rules], env }),
  ]
}

/** The load test: how it refuses and cleans up, then its smoke shape on a local stack. */
async function load(): Promise<Report[]> {
  const obstacle = goTool('k6')
  if (obstacle) return [skipStage('load test', obstacle), skipStage('smoke load', obstacle)]
  // CI machines are slow and shared: errors are judged as ever, times are not.
  const env = { PATH: toolsPath, TARGET: 'local', SHAPE: 'smoke', THRESHOLD_FACTOR: '10' }
  return [
    await vitest('load test', 'load'),
    await runStage({ name: 'smoke load', command: ['node', 'deploy/k6/src/run.ts'], live: true, env }),
  ]
}
