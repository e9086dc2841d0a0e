import { existsSync } from 'node:fs'
import { chromiumPath } from '@parley/e2e/chromium'
import { check } from './check.ts'
import { keycloakStages } from './keycloak.ts'
import { writeSecurityReport } from './security-report.ts'
import { runStage, skipStage } from './stage.ts'

/** `npm test`: static checks and unit tests, screens in a DOM, services on real stores, the main journey in a real browser. */
const { OIDC_ISSUER: issuer, KEYCLOAK: keycloak } = process.env
const provider = issuer ? new URL(issuer).host : keycloak === 'real' ? 'Keycloak' : 'embedded'
const reports = await check()
reports.push(
  await runStage({
    name: 'screens',
    command: ['vitest', 'run', '--project', 'web'],
    counts: 'vitest',
  }),
)
reports.push(
  await runStage({
    name: 'services',
    command: ['vitest', 'run', '--project', 'services'],
    counts: 'vitest',
    live: true,
  }),
)
writeSecurityReport({ [provider]: 'services' })
if (process.env['TEST_BACKING'] === 'docker') reports.push(...(await keycloakStages()))
const chromium = chromiumPath(existsSync)
reports.push(
  chromium
    ? await runStage({
        name: 'main journey',
        command: ['playwright', 'test', '--config', 'deploy/e2e', '--grep', '@main'],
        counts: 'playwright',
        live: true,
      })
    : skipStage('main journey', 'no Chromium on this machine: install it, or name it in CHROMIUM_PATH'),
)
const sum = (key: 'passed' | 'failed' | 'skipped') => reports.reduce((total, report) => total + report[key], 0)
console.log(`npm test: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
process.exitCode = sum('failed') > 0 ? 1 : 0
