import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { runStage, skipStage } from './stage.ts'

/** Every journey but the main one, which `npm test` has run. */
const report = chromiumPath(existsSync)
  ? await runStage({
      name: 'journeys',
      command: ['playwright', 'test', '--config', 'deploy/e2e', '--grep-invert', '@main'],
      counts: 'playwright',
      live: true,
    })
  : skipStage('journeys', 'no Chromium on this machine')
process.exitCode = report.failed > 0 ? 1 : 0
