import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, DiagnosisContext } from './check.ts'
import { respondsOk } from './components/health.ts'
import { isIssuerHealthy } from './components/identity-provider.ts'
import { requireJava } from './components/java.ts'
import { wantsKeycloak } from './components/keycloak.ts'
import { isSmtpHealthy } from './components/mail.ts'
import { askMongodb, directUrl } from './components/mongodb-client.ts'
import { isRedisHealthy } from './components/redis.ts'
import { backingUrl, hostOf } from './environment.ts'
import { Problem } from './problem.ts'
import { locateOnPath } from './tools/locate.ts'
import { keycloakTool, mongodbTool, redisTool, type Tool } from './tools/manifest.ts'
import { findObtained } from './tools/obtain.ts'

/** A backing component as the doctor sees it: which source it has, and whether it answers. */
interface Backing {
  readonly subject: string
  readonly variable: string
  readonly port: number | undefined
  readonly isHealthy: (url: string | undefined) => Promise<boolean>
  /** What runs it on this machine. */
  readonly local: () => Promise<Pick<Check, 'verdict' | 'finding' | 'remedy'>>
}

/** Each backing component by the rule: the environment's URL, else a program on this machine. */
export async function checkBacking(context: DiagnosisContext): Promise<Check[]> {
  const { ports } = context
  const backings: Backing[] = [
    {
      subject: 'MongoDB',
      variable: 'MONGODB_URL',
      port: ports.mongodb,
      isHealthy: (url) => askMongodb(url ?? directUrl(ports.mongodb), { ping: 1 }).then(Boolean),
      local: () => toolSource(mongodbTool, context),
    },
    {
      subject: 'Redis',
      variable: 'REDIS_URL',
      port: ports.redis,
      isHealthy: (url) => isRedisHealthy(url ?? `redis://127.0.0.1:${ports.redis}`),
      local: () => toolSource(redisTool, context),
    },
    {
      subject: 'Identity provider',
      variable: 'OIDC_ISSUER',
      port: ports.identityProvider,
      isHealthy: (url) => isIssuerHealthy(url ?? `http://127.0.0.1:${ports.identityProvider}/realms/parley`),
      local: () => providerSource(context),
    },
    {
      subject: 'Mail',
      variable: 'SMTP_URL',
      port: ports.mailPage,
      isHealthy: (url) => (url ? isSmtpHealthy(url) : respondsOk(`http://127.0.0.1:${ports.mailPage}/healthz`)),
      local: async () => ({ verdict: 'ok', finding: 'the mail catcher' }),
    },
  ]
  return Promise.all(backings.map((backing) => checkOne(backing, context)))
}

async function checkOne(
  { subject, variable, port, isHealthy, local }: Backing,
  context: DiagnosisContext,
): Promise<Check> {
  const url = backingUrl(context.environment, variable)
  if (url) {
    const finding = `${hostOf(url)} from ${variable}`
    if (await isHealthy(url)) return { verdict: 'ok', subject, finding: `${finding}, healthy` }
    const remedy = `Start that server or correct ${variable}; without it Parley runs its own.`
    return { verdict: 'problem', subject, finding: `${finding} does not answer`, remedy }
  }
  if (context.launcher === undefined || port === undefined) return { subject, ...(await local()) }
  if (await isHealthy(undefined)) return { verdict: 'ok', subject, finding: `port ${port}, healthy` }
  const log = join(context.paths.logs, `${subject.toLowerCase().replace(' ', '-')}.log`)
  return { verdict: 'problem', subject, finding: `port ${port} does not answer`, remedy: `Its log says why: ${log}` }
}

/** The stand-in, or with KEYCLOAK=real what a Keycloak needs here. */
async function providerSource(context: DiagnosisContext): Promise<Pick<Check, 'verdict' | 'finding' | 'remedy'>> {
  try {
    if (!wantsKeycloak(context.environment)) return { verdict: 'ok', finding: 'the stand-in' }
    const java = await requireJava(context.environment)
    const home = context.environment['KEYCLOAK_HOME']
    if (home) return { verdict: 'ok', finding: `Keycloak in ${home}, on ${java}` }
    const { verdict, finding } = await toolSource(keycloakTool, context)
    return { verdict, finding: `Keycloak: ${finding}` }
  } catch (error) {
    if (error instanceof Problem) return { verdict: 'problem', finding: error.message }
    throw error
  }
}

async function toolSource(
  tool: Tool,
  { toolsDir }: DiagnosisContext,
): Promise<Pick<Check, 'verdict' | 'finding' | 'remedy'>> {
  const notes: string[] = []
  const note = (line: string) => notes.push(line)
  const found =
    (await locateOnPath(tool, note)) ??
    (existsSync(toolsDir) ? await findObtained(tool, { toolsDir, note, repair: false }, 'digest') : undefined)
  if (found) return { verdict: 'ok', finding: `${found.path}, version ${found.version}` }
  if (notes.length > 0) return { verdict: 'note', finding: notes.join(' ') }
  return { verdict: 'note', finding: 'not on the PATH; npm start obtains it' }
}
