import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireJava } from '../../local/src/parts/java.ts'
import { sharedToolsDir } from '../../local/src/paths.ts'
import { isPortFree } from '../../local/src/ports.ts'
import { Problem } from '../../local/src/problem.ts'
import { type Stack, startStack } from '../../local/src/stack.ts'
import { keycloakTool } from '../../local/src/tools/manifest.ts'
import { toolFor } from '../../local/src/tools/tool-for.ts'
import { runStage, skipStage } from './stage.ts'

const name = 'identity contract on Keycloak'
const say = (line: string) => console.log(`  ${line}`)

/** What this machine lacks for a Keycloak; everything after that is a failure and not a reason to skip. */
async function whyNot(): Promise<string | undefined> {
  try {
    await requireJava(process.env)
    if (!process.env['KEYCLOAK_HOME']) await toolFor(keycloakTool, { toolsDir: sharedToolsDir, say })
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Starts a real Keycloak in a throw-away folder and holds it to the contract that the stand-in keeps in `npm test`. */
async function onKeycloak() {
  const logoutPort = await freePort()
  const backchannel = `http://127.0.0.1:${logoutPort}/auth/backchannel-logout`
  const stack = await startStack({
    dataDir: mkdtempSync(join(tmpdir(), 'parley-keycloak-')),
    parts: ['mail', 'identity-provider'],
    environment: { ...process.env, KEYCLOAK: 'real', OIDC_ISSUER: '', SMTP_URL: '' },
    env: { 'identity-provider': { BACKCHANNEL_URL: backchannel } },
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') say(progress.line)
      if (progress.kind === 'ready')
        say(`${progress.part.label} answers after ${Math.round(progress.elapsedMs / 1000)} s`)
    },
  })
  try {
    Object.assign(process.env, contractEnvironment(stack, logoutPort))
    return await runStage({
      name,
      command: ['vitest', 'run', '--project', 'services', 'deploy/local/src/test/identity-contract.test.ts'],
      counts: 'vitest',
      live: true,
    })
  } finally {
    await stack.stop()
  }
}

const contractEnvironment = ({ urls, secrets }: Stack, logoutPort: number) => ({
  // The tests' own stack is needed for nothing here.
  PARLEY_TEST_PARTS: 'mail',
  IDENTITY_CONTRACT_ISSUER: urls.identity,
  IDENTITY_CONTRACT_WEB_SECRET: secrets.bffWebSecret,
  IDENTITY_CONTRACT_PASSWORD_SECRET: secrets.bffPasswordSecret,
  IDENTITY_CONTRACT_ADMIN_SECRET: secrets.svcIdentitySecret,
  IDENTITY_CONTRACT_PUBLIC_ORIGIN: urls.app,
  IDENTITY_CONTRACT_MAIL_URL: urls.mail,
  IDENTITY_CONTRACT_BACKCHANNEL_PORT: String(logoutPort),
})

async function freePort(): Promise<number> {
  for (let port = 30_000; port < 31_000; port += 1) if (await isPortFree(port)) return port
  throw new Error('No free port between 30000 and 31000')
}

const obstacle = await whyNot()
const report = obstacle === undefined ? await onKeycloak() : skipStage(name, obstacle)
process.exitCode = report.failed > 0 ? 1 : 0
