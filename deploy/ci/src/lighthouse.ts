import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { runStage, skipStage } from './stage.ts'

/** Lighthouse's scores of the landing page and the dashboard. It has a lock of its own, installed here alone. */
const name = 'lighthouse'
const report = chromiumPath(existsSync)
  ? await runStage({
      name,
      command: [
        'bash',
        '-c',
        'npm ci --prefix deploy/ci/lighthouse >/dev/null 2>&1 && node deploy/e2e/src/lighthouse.ts',
      ],
      live: true,
    })
  : skipStage(name, 'no Chromium on this machine')
process.exitCode = report.failed > 0 ? 1 : 0
