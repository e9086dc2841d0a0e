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

/** Suites of a quarter of a minute and more, and every attack: what waits for campaigns, imports, locks and whole stacks. */
const long = [
  'bff/src/test/{security/**/*,cells,tracing}.test.ts',
  'services/automation/src/test/{any-flow-long,any-order,clock,dry-runs,many-at-once,panel-parity,replays,runs-killed,runs-retried,sample-bots,workflows-killed}.test.ts',
  'deploy/{identity-provider/src/test/*,local/src/test/cli,local/src/test/dev,local/src/test/stack}.test.ts',
  'packages/service-kit/src/test/{media-bucket,task-service,whole-service,worker-process}.test.ts',
  'services/profile/src/test/{audit,cache,key-notices,reclaim}.test.ts',
  'services/automation/src/test/publication.test.ts',
  'services/messaging/src/test/{approvals*,workspace-export,automation-events,campaigns,campaign-!(kill*),consent,creates-killed,contact-changes,contact-export,contact-totals,conversation-export,credentials,erase*,forms,gate,generated-webhooks}.test.ts',
  'services/messaging/src/test/{dead-letters,events,figure-histories,figure-kills,figure-rows,identities,imports,imports-!(killed-once|consent),lines}.test.ts',
  'services/messaging/src/test/{macros,merge-many,merging,merging-killed,message-actions,notifications,numbers,plan-bounds,processes,queue-many,recipients,recount-usage,sample-data,take-over,take-over-many}.test.ts',
  'services/messaging/src/test/{segments,sending*,templates,templates-accounts,templates-deleted,templates-submit,templates-sync,templates-versions,usage,wa-phones,webhook-bodies,webhook-kills,webhook-receivers,webhook-replays}.test.ts',
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

const sharingWorkers = {
  // The files of a worker share what they have loaded, which is a third of the time, and undo what they change.
  isolate: false,
  // Much of it is waiting for processes.
  maxWorkers: 3,
}

/**
 * Six tiers: `unit` is pure logic beside its file, `web` is React in a DOM, `services` and `long` speak HTTP to real processes
 * and real stores that `deploy/local` starts once for the whole run, `kills` kills a process of each engine once, `faults` takes those parts away, starts them late or fills
 * them up, and runs an operator's jobs (migration, backup); it mostly waits.
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
      {
        extends: './frontend/vite.config.ts',
        test: {
          name: 'web',
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
          include: ['frontend/src/**/*.test.tsx'],
          setupFiles: ['./frontend/src/test-setup.ts'],
        },
      },
      {
        test: {
          ...onRealStores,
          ...sharingWorkers,
          name: 'services',
          include: ['{packages,services,deploy}/*/src/test/**/*.test.ts', 'bff/src/test/**/*.test.ts'],
          exclude: [...faults, ...long, ...kills],
        },
      },
      { test: { ...onRealStores, ...sharingWorkers, name: 'long', include: long } },
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
