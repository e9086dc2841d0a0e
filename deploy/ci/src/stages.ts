import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { buildFrontend } from '@parley/local/frontend-build'
import { keycloakStages } from './keycloak.ts'
import type { Report } from './reports.ts'
import { failStage, passStage, runStage, skipStage } from './stage.ts'
import { toolsPath } from './tools/folders.ts'
import { kubernetesSchemas } from './tools/kubernetes-schemas.ts'
import { goTool, promtool } from './tools/programs.ts'

interface StageDefinition {
  readonly run: () => Promise<readonly Report[]>
  /** Git pathspecs of what can change the outcome, beside `alwaysRead`. Stages of the proof have some. */
  readonly inputs?: readonly string[]
  /** Set for a stage that tries what pages tell people to type. */
  readonly readsPages?: boolean
}

/** Pathspecs that every stage reads. */
export const alwaysRead = ['package-lock.json', 'tsconfig.base.json']

const backend = ['packages', 'services', 'bff', 'deploy/local', 'deploy/identity-provider', 'vitest.config.ts']
const app = [...backend, 'frontend', 'deploy/e2e']

const definitions = {
  types: { run: types },
  check: { run: check },
  services: { run: services },
  main: { run: () => one(inBrowser('main journey', ['--grep', '@main', '--retries=1'])) },
  size: { run: size },
  screens: { run: () => one(vitest('screens', 'web', { secondTry: true })) },
  gate: { run: () => one(inBrowser('journeys of the gate', ['--grep', '@gate', '--retries=1'], { AXE: 'off' })) },
  chart: {
    run: chart,
    inputs: ['helm', 'packages/processes', 'deploy/ci/src/chart', 'deploy/observability', 'deploy/docs'],
    readsPages: true,
  },
  // In parts: a slow machine takes hours for all of them, and each part that was green is kept.
  'long-1': { run: () => long(1), inputs: backend },
  'long-2': { run: () => long(2), inputs: backend },
  'long-3': { run: () => long(3), inputs: backend },
  'long-4': { run: () => long(4), inputs: backend },
  components: {
    run: () => one(vitest('components', 'components')),
    inputs: ['frontend', 'packages', 'vitest.config.ts'],
  },
  kills: { run: () => one(vitest('kills', 'kills')), inputs: backend },
  /** Components that go away, come late or fill up, and an operator's jobs, under real processes. */
  faults: { run: () => one(vitest('faults', 'faults')), inputs: [...backend, 'deploy/backup'] },
  journeys: { run: () => one(inBrowser('journeys', ['--grep-invert', '@main'])), inputs: app },
  keycloak: { run: keycloakStages, inputs: [...app, 'deploy/keycloak', 'deploy/ci/src/keycloak.ts'] },
  lighthouse: { run: lighthouse, inputs: [...app, 'deploy/ci/lighthouse'] },
  fuzz: {
    run: async () => (await import('./fuzz.ts')).fuzzStages(),
    inputs: [...backend, 'deploy/ci/src/fuzz', 'deploy/ci/src/fuzz.ts', 'deploy/ci/schemathesis'],
  },
  load: { run: load, inputs: [...backend, 'deploy/k6'] },
  cluster: {
    run: async () => (await import('./cluster.ts')).clusterStages(),
    inputs: ['helm', 'packages/processes', 'deploy/ci/src/cluster', 'deploy/ci/src/cluster.ts'],
  },
  containers: {
    run: async () => (await import('./containers.ts')).containerStages(),
    inputs: [...app, 'deploy', 'docker-compose.yml', 'helm/parley/files', ':!deploy/bench', ':!deploy/docs'],
  },
  images: { run: async () => (await import('./containers.ts')).containerStages({ onlyImages: true }) },
  backing: { run: async () => (await import('./backing.ts')).backingStages() },
}

export type StageName = keyof typeof definitions
export const stages: Readonly<Record<StageName, StageDefinition>> = definitions

/** Run where none is named, short ones first. `images` is part of `containers`, `backing` repeats `services` and the parts of `long`. */
export const proofStages: readonly StageName[] = [
  'load',
  'chart',
  'components',
  'cluster',
  'kills',
  'faults',
  'lighthouse',
  'fuzz',
  'keycloak',
  'containers',
  'long-1',
  'long-2',
  'long-3',
  'long-4',
  'journeys',
]

async function one(report: Promise<Report> | Report): Promise<Report[]> {
  return [await report]
}

function vitest(
  name: string,
  project: string,
  { secondTry = false, part }: { secondTry?: boolean; part?: string } = {},
): Promise<Report> {
  const command = ['vitest', 'run', '--project', project, ...(part === undefined ? [] : ['--shard', part])]
  return runStage({ name, command, live: true, env: { PATH: toolsPath }, secondTry })
}

/** Runs services; with TEST_BACKING=docker also tests that need a real Keycloak, which is a container then. */
async function services(): Promise<Report[]> {
  const report = await vitest('services', 'services', { secondTry: true })
  if (process.env['TEST_BACKING'] !== 'docker') return [report]
  return [report, ...(await keycloakStages())]
}

function inBrowser(
  name: string,
  choice: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Report> | Report {
  if (!chromiumPath(existsSync)) return noChromium(name)
  return runStage({ name, command: ['playwright', 'test', '--config', 'deploy/e2e', ...choice], live: true, env })
}

function noChromium(name: string): Report {
  return skipStage(name, 'no Chromium on this machine: install it, or name it in CHROMIUM_PATH')
}

/** One checker each: with more, each works out the types of the contracts for itself, and other checks run beside them. */
function types(): Promise<Report[]> {
  const projects = [
    'tsconfig.json',
    'frontend/tsconfig.json',
    'deploy/e2e/tsconfig.json',
    'services/simulator/src/page/client/tsconfig.json',
  ]
  return Promise.all(
    projects.map((project) =>
      runStage({
        name: `types of ${project.replaceAll('/', ' ')}`,
        command: ['tsc', '-p', project, '--checkers', '1'],
      }),
    ),
  )
}

/** Runs all static checks and the tests of pure logic in two lanes, for two cores. Short enough for every commit. */
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

/** The page as journeys are served it, held against the budgets of first load. */
async function size(): Promise<Report[]> {
  const build = buildFrontend(console.log)
  return [
    await build.then(
      () => passStage('build'),
      (error: unknown) => failStage('build', error instanceof Error ? error.message : String(error)),
    ),
    await runStage({ name: 'first load', command: ['node', 'deploy/ci/src/size-report.ts'], live: true }),
  ]
}

/** Scores of the landing page and the dashboard. Lighthouse has a lock of its own, installed here alone. */
async function lighthouse(): Promise<Report[]> {
  const name = 'lighthouse'
  if (!chromiumPath(existsSync)) return [noChromium(name)]
  const command = ['sh', '-c', 'npm ci --prefix deploy/ci/lighthouse && node deploy/e2e/src/lighthouse.ts']
  return one(runStage({ name, command, live: true }))
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

/** Services under attack, and whatever of them takes its time. An S3 server is obtained for the bucket of files. */
async function long(part: 1 | 2 | 3 | 4): Promise<Report[]> {
  goTool('versitygw')
  return one(vitest(`long, part ${part} of 4`, 'long', { part: `${part}/4` }))
}

/** The load test: how it refuses and cleans up, then its smoke shape on a local stack. */
async function load(): Promise<Report[]> {
  const obstacle = goTool('k6')
  if (obstacle) return [skipStage('load test', obstacle), skipStage('smoke load', obstacle)]
  // CI machines are slow and shared: errors are judged as ever, times are not.
  const env = { PATH: toolsPath, TARGET: '', SHAPE: 'smoke', THRESHOLD_FACTOR: '10' }
  return [
    await vitest('load test', 'load'),
    await runStage({ name: 'smoke load', command: ['node', 'deploy/k6/src/run.ts'], live: true, env }),
  ]
}
