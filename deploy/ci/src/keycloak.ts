import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumPath } from '@parley/e2e/chromium'
import { componentNames } from '@parley/local/component'
import { requireJava } from '@parley/local/components/java'
import { sharedToolsDir } from '@parley/local/paths'
import { Problem } from '@parley/local/problem'
import { type Stack, startStack } from '@parley/local/stack'
import { describeStack } from '@parley/local/testing/provided-stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { keycloakTool } from '@parley/local/tools/manifest'
import { toolFor } from '@parley/local/tools/tool-for'
import type { Report } from './reports.ts'
import { runStage, skipStage } from './stage.ts'

const inContainers = process.env['TEST_BACKING'] === 'docker'
const provider = inContainers ? 'Keycloak in a container' : 'Keycloak'
const contract = `identity contract on ${provider}`
const attacks = `attacks on ${provider}`
const journeys = 'journeys on Keycloak'

/**
 * Journeys in which a provider takes part: on the stand-in only where no Keycloak runs. The screens behind the sign-in are the
 * same with any.
 */
const providerJourneys =
  'account-changes active-sessions connection google hosted outage people session sign-in steadiness workspace-deletion'.split(
    ' ',
  )
const attackTests = 'bff/src/test/security'

const log = (line: string) => console.log(`  ${line}`)
/** Servers that the caller's environment may name are not what is tested here. */
const environment = { KEYCLOAK: 'real', OIDC_ISSUER: '', SMTP_URL: '', MONGODB_URL: '', REDIS_URL: '' }

const specFile = (name: string) => `${name}.spec.ts`

/** Returns what this machine lacks for a Keycloak; everything after that is a failure and not a reason to skip. */
async function whyNot(): Promise<string | undefined> {
  if (inContainers) return undefined
  try {
    await requireJava(process.env)
    if (!process.env['KEYCLOAK_HOME']) await toolFor(keycloakTool, { toolsDir: sharedToolsDir, note: log })
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

async function onKeycloak(): Promise<Report[]> {
  const home = mkdtempSync(join(tmpdir(), 'parley-keycloak-'))
  try {
    const reports = await onOneStart(home)
    return inContainers ? reports : [...reports, await runJourneys(home)]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Contract and attacks share one Keycloak. @param home where the server is left, prepared, for the next start. */
async function onOneStart(home: string): Promise<Report[]> {
  const dataDir = throwAwayFolder()
  const stack = await startStack({
    dataDir,
    // The attacks run BFFs of their own.
    components: componentNames.filter((name) => name !== 'bff'),
    environment: { ...process.env, ...environment, SAMPLE_DATA: 'off' },
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') log(progress.line)
      if (progress.kind === 'ready' && progress.component.name === 'identity-provider')
        log(`Keycloak ${progress.version} answers after ${Math.round(progress.elapsedMs / 1000)} s`)
    },
  })
  try {
    const description = join(dataDir, 'test-stack.json')
    describeStack(description, stack)
    const tests = (path: string) => ['vitest', 'run', '--project', 'services', '--project', 'long', path]
    const env = { PARLEY_TEST_STACK: description }
    const reports = [
      await runStage({
        live: true,
        name: contract,
        command: tests('deploy/identity-provider/src/test/contract.test.ts'),
        env: { ...env, ...contractEnvironment(stack) },
      }),
      await runStage({ live: true, name: attacks, command: tests(attackTests), env }),
    ]
    if (!inContainers) keepServer(dataDir, home)
    return reports
  } finally {
    await stack.stop()
  }
}

/** The realm posts logout tokens to the BFF's port, where none runs. */
const contractEnvironment = ({ urls, secrets, env }: Stack) => ({
  IDENTITY_CONTRACT_ISSUER: urls.identity,
  IDENTITY_CONTRACT_WEB_SECRET: secrets.bffWebSecret,
  IDENTITY_CONTRACT_PASSWORD_SECRET: secrets.bffPasswordSecret,
  IDENTITY_CONTRACT_ADMIN_SECRET: secrets.svcIdentitySecret,
  IDENTITY_CONTRACT_PUBLIC_ORIGIN: urls.app,
  IDENTITY_CONTRACT_MAIL_URL: urls.mail,
  IDENTITY_CONTRACT_BACKCHANNEL_PORT: env.bff['PORT'] ?? '',
})

/** Keeps a server that is unpacked and built, without a database: a start from it saves a minute. */
function keepServer(dataDir: string, home: string): void {
  const server = join(dataDir, 'data', 'keycloak', 'server')
  const database = join(server, 'data')
  cpSync(server, home, { recursive: true, filter: (path) => path !== database })
}

/** Journeys start the app themselves, as a person does, and stop, kill and restart it. */
function runJourneys(home: string): Promise<Report> | Report {
  if (!chromiumPath(existsSync)) return skipStage(journeys, 'no Chromium on this machine')
  return runStage({
    name: journeys,
    // Other journeys may run beside these: each runner first empties its folder.
    command: [
      ...['playwright', 'test', '--config', 'deploy/e2e', '--output', 'deploy/e2e/test-results-keycloak'],
      ...[...providerJourneys, 'main'].map(specFile),
    ],
    live: true,
    env: { ...environment, KEYCLOAK_HOME: home },
  })
}

/** Runs the stages. With TEST_BACKING=docker the Keycloak is a container; the journeys then keep to the program. */
export async function keycloakStages(): Promise<Report[]> {
  const obstacle = await whyNot()
  if (obstacle === undefined) return onKeycloak()
  return [contract, attacks, journeys].map((name) => skipStage(name, obstacle))
}
