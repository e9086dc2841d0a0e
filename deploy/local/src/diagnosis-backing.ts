import { join } from 'node:path'
import { requireJava } from './components/java.ts'
import { wantsKeycloak } from './components/keycloak.ts'
import { isSmtpHealthy } from './components/mail.ts'
import { lookAtProvider } from './diagnosis-provider.ts'
import { lookAtMongodb, lookAtRedis } from './diagnosis-stores.ts'
import { backingUrl, hostOf } from './environment.ts'
import { sharedToolsDir } from './paths.ts'
import type { Ports } from './ports.ts'
import { type Check, Problem, type Source } from './problem.ts'
import { locateOnPath } from './tools/locate.ts'
import { keycloakTool, mongodbTool, redisTool, type Tool } from './tools/manifest.ts'
import { findObtained } from './tools/obtain.ts'

interface Looked {
  readonly environment: NodeJS.ProcessEnv
  readonly ports: Partial<Ports>
  readonly logs: string
  /** True where Parley runs in this folder. */
  readonly isRunning: boolean
}

/** Checks each backing component by the rule: the environment's URL, else a program on this machine. */
export async function checkBacking({ environment, ports, logs, isRunning }: Looked): Promise<Check[]> {
  async function check(subject: string, variable: string, backing: Backing): Promise<Check> {
    const named = backingUrl(environment, variable)
    if (!named && !isRunning) return { subject, ...(await backing.source()) }
    const finding = named ? `${hostOf(named)} from ${variable}` : hostOf(backing.url)
    const seen = await backing.look(named ?? backing.url)
    if (seen)
      return { ...seen, subject, finding: `${finding}${seen.verdict === 'problem' ? ' ' : ', '}${seen.finding}` }
    const log = join(logs, `${subject.toLowerCase().replace(' ', '-')}.log`)
    const remedy = named
      ? `Start that server or correct ${variable}; without it Parley runs its own.`
      : `Its log says why: ${log}`
    return { verdict: 'problem', subject, finding: `${finding} does not answer`, remedy }
  }
  return Promise.all([
    check('MongoDB', 'MONGODB_URL', {
      url: ownMongodb(ports),
      look: lookAtMongodb,
      source: () => toolSource(mongodbTool),
    }),
    check('Redis', 'REDIS_URL', {
      url: `redis://127.0.0.1:${ports.redis}`,
      look: lookAtRedis,
      source: () => toolSource(redisTool),
    }),
    check('Identity provider', 'OIDC_ISSUER', {
      url: `http://127.0.0.1:${ports.identityProvider}/realms/parley`,
      look: (url) => lookAtProvider(url, `http://localhost:${ports.app}`),
      source: () => providerSource(environment),
    }),
    check('Mail', 'SMTP_URL', {
      url: `smtp://127.0.0.1:${ports.smtp}`,
      look: (url) => healthyIf(isSmtpHealthy(url)),
      source: async () => ({ verdict: 'ok', finding: 'the mail catcher' }),
    }),
  ])
}

const ownMongodb = ({ mongodb }: Partial<Ports>) => `mongodb://127.0.0.1:${mongodb}/?directConnection=true`

/** Returns the URL of the MongoDB that Parley uses here. */
export const mongodbOf = (environment: NodeJS.ProcessEnv, ports: Partial<Ports>): string =>
  backingUrl(environment, 'MONGODB_URL') ?? ownMongodb(ports)

const healthyIf = async (answer: Promise<boolean>): Promise<Source | undefined> =>
  (await answer) ? { verdict: 'ok', finding: 'healthy' } : undefined

interface Backing {
  /** URL of the server that this launcher runs. */
  readonly url: string
  /** Checks what the server says of itself; `undefined` where it does not answer. */
  readonly look: (url: string) => Promise<Source | undefined>
  /** Returns what runs it on this machine. */
  readonly source: () => Promise<Source>
}

/** The stand-in, or with KEYCLOAK=real what a Keycloak needs here. */
async function providerSource(environment: NodeJS.ProcessEnv): Promise<Source> {
  try {
    if (!wantsKeycloak(environment)) return { verdict: 'ok', finding: 'the stand-in' }
    const java = await requireJava(environment)
    const home = environment['KEYCLOAK_HOME']
    if (home) return { verdict: 'ok', finding: `Keycloak in ${home}, on ${java}` }
    const { verdict, finding } = await toolSource(keycloakTool)
    return { verdict, finding: `Keycloak: ${finding}` }
  } catch (error) {
    if (error instanceof Problem) return { verdict: 'problem', finding: error.message }
    throw error
  }
}

async function toolSource(tool: Tool): Promise<Source> {
  const notes: string[] = []
  const onPath = await locateOnPath(tool, (line) => notes.push(line))
  const found = onPath ?? findObtained(tool, { toolsDir: sharedToolsDir })
  if (found) return { verdict: 'ok', finding: `${found.path}, version ${found.version}` }
  return { verdict: 'note', finding: notes.join(' ') || 'not on the PATH; npm start obtains it' }
}
