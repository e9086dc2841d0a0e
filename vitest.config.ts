import { defineConfig } from 'vitest/config'

const inTestFolder = '**/src/test/**'

const faults = [
  '{services/*,bff}/src/test/{late-*,log-output,rolling-update}.test.ts',
  'services/profile/src/test/{migrate,outage}.test.ts',
  'deploy/local/src/test/{faults,full-*,durability,sentinel}.test.ts',
  'deploy/backup/src/test/{backup,encryption,erasures,held}.test.ts',
  'packages/service-kit/src/test/migrations.processes.test.ts',
  'services/messaging/src/test/{campaign-kills,store-outages}.test.ts',
]

/** Each engine's process is killed once: receiving and sending, a campaign, an import. */
const kills = ['services/messaging/src/test/{kills,campaign-killed-once,imports-killed-once}.test.ts']

/** Suites of the gate: of each part those that a fault breaks first, five minutes on a slow machine. The rest is `long`. */
const gate = [
  'packages/service-kit/src/test/!(prune-events|media-bucket|queues*|task-service|whole-service|worker-process|migrations.processes).test.ts',
  'bff/src/test/{account-deletion,api-proxy,code-flow,config,early-answers,forward,http,mcp,metrics,proxy-*,public-api,session-keys,sign-in,static-site,tracked-reads}.test.ts',
  'deploy/local/src/test/{compose-mail,stores,supervise}.test.ts',
  'services/identity/src/test/accounts.test.ts',
  'services/profile/src/test/{access,api-keys,config,members,profile,send-mail,tenancy}.test.ts',
  'services/messaging/src/test/{apply,attributes,billing-entries,blocking,contacts,duplicates,inbox,inbox-owners,indexes,mentions}.test.ts',
  'services/messaging/src/test/{number-changes,odd-records,old-search-index,public-bad-input,search,send-limits,slice,views,visibility-copy,workspace-erasure}.test.ts',
  'services/automation/src/test/{bots,flow-tests,hooks,indexes,runs,runs-routing,sight,workspace-erasure,workspace-export}.test.ts',
]

/** Screens of the gate: each page, the frame around them, and what all of them use. The rest is `components`. */
const pages = [
  'frontend/src/{app,lib,ui}/**/!(command-menu|live-events*|two-people).test.tsx',
  'frontend/src/features/auth/**/*.test.tsx',
  'frontend/src/features/**/*-page.test.tsx',
]

/** The runner would leave one core idle; on two that is half of the machine. A project does not inherit it. */
const maxWorkers = 2

const onRealStores = {
  globalSetup: ['./deploy/local/src/testing/global-setup.ts'],
  setupFiles: ['./deploy/local/src/testing/patience.ts'],
  // Only a test that hangs is ended: a busy machine takes ten times as long.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  // `expect.poll` gives up after a second by default.
  expect: { poll: { timeout: 120_000 } },
}

const inDom = {
  maxWorkers,
  // The files of a worker share the libraries, which is half of the time. Their own modules are new: `test-setup.ts`.
  isolate: false,
  environment: 'happy-dom',
  environmentOptions: {
    happyDOM: {
      url: 'http://localhost/',
      settings: {
        // In this DOM no transition ends: what has begun to leave might stay.
        device: { prefersReducedMotion: 'reduce' },
        // A click on a download is none to this DOM: it would lead the next file's page astray.
        navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
      },
    },
  },
  setupFiles: ['./frontend/src/test-setup.ts'],
}

const sharingWorkers = {
  // The files of a worker share what they have loaded, which is a third of the time, and undo what they change.
  isolate: false,
  // Much of it is waiting for processes.
  maxWorkers: 3,
}

/**
 * Tiers: `unit` is pure logic beside its file, `web` and `components` are React in a DOM, `services` and `long` speak HTTP to real
 * processes and real stores that `deploy/local` starts once for the whole run, `kills` kills a process of each engine once, `faults`
 * takes those parts away, starts them late or fills them up, and runs an operator's jobs (migration, backup); it mostly waits.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers,
          // Pure logic leaves nothing behind, so the files of a worker share what they have loaded.
          isolate: false,
          // A busy machine takes ten times as long; what hangs ends all the same.
          testTimeout: 60_000,
          include: [
            '{packages,services,deploy}/*/src/**/*.test.ts',
            'bff/src/**/*.test.ts',
            'frontend/src/**/*.test.ts',
          ],
          exclude: [inTestFolder],
        },
      },
      { extends: './frontend/vite.config.ts', test: { ...inDom, name: 'web', include: pages } },
      {
        extends: './frontend/vite.config.ts',
        test: { ...inDom, name: 'components', include: ['frontend/src/**/*.test.tsx'], exclude: pages },
      },
      { test: { ...onRealStores, ...sharingWorkers, name: 'services', include: gate } },
      {
        test: {
          ...onRealStores,
          ...sharingWorkers,
          name: 'long',
          include: ['{packages,services,deploy}/*/src/test/**/*.test.ts', 'bff/src/test/**/*.test.ts'],
          exclude: [...gate, ...faults, ...kills],
        },
      },
      { test: { ...onRealStores, name: 'kills', include: kills, maxWorkers: 3 } },
      // A stage of its own.
      { test: { ...onRealStores, name: 'faults', include: faults, maxWorkers: 3 } },
      // Needs k6.
      { test: { name: 'load', include: ['deploy/k6/src/*.load.ts'], testTimeout: 180_000 } },
      // Needs helm and kubeconform.
      {
        test: {
          name: 'chart',
          include: ['deploy/ci/src/chart/*.chart.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      // Needs a Docker daemon.
      {
        test: {
          name: 'containers',
          include: ['deploy/ci/src/containers/*.containers.ts'],
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      // Needs a Kubernetes API server; deploy/ci/src/cluster.ts runs it.
      {
        test: {
          name: 'cluster',
          include: ['deploy/ci/src/cluster/*.cluster.ts'],
          globalSetup: ['./deploy/ci/src/cluster/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
