import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, Patient } from './check.ts'
import { backingUrl, hostOf } from './environment.ts'
import { answersOk } from './parts/answers.ts'
import { issuerAnswers } from './parts/identity-provider.ts'
import { requireJava } from './parts/java.ts'
import { wantsKeycloak } from './parts/keycloak.ts'
import { smtpAnswers } from './parts/mail.ts'
import { askMongodb, directUrl } from './parts/mongodb-client.ts'
import { answersPing } from './parts/redis.ts'
import { Problem } from './problem.ts'
import { locateOnPath } from './tools/locate.ts'
import { keycloakTool, mongodbTool, redisTool, type Tool } from './tools/manifest.ts'
import { findObtained } from './tools/obtain.ts'

/** A backing part as the doctor sees it: which source it has, and whether it answers. */
interface Backing {
  readonly subject: string
  readonly variable: string
  readonly port: number | undefined
  readonly answers: (url: string | undefined) => Promise<boolean>
  /** What runs it on this machine. */
  readonly local: () => Promise<Pick<Check, 'verdict' | 'finding' | 'remedy'>>
}

/** Each backing part by the rule: the environment's URL, else a program on this machine. */
export async function checkBacking(patient: Patient): Promise<Check[]> {
  const { ports } = patient
  const backings: Backing[] = [
    {
      subject: 'MongoDB',
      variable: 'MONGODB_URL',
      port: ports.mongodb,
      answers: (url) => askMongodb(url ?? directUrl(ports.mongodb), { ping: 1 }).then(Boolean),
      local: () => toolSource(mongodbTool, patient),
    },
    {
      subject: 'Redis',
      variable: 'REDIS_URL',
      port: ports.redis,
      answers: (url) => answersPing(url ?? `redis://127.0.0.1:${ports.redis}`),
      local: () => toolSource(redisTool, patient),
    },
    {
      subject: 'Identity provider',
      variable: 'OIDC_ISSUER',
      port: ports.identityProvider,
      answers: (url) => issuerAnswers(url ?? `http://127.0.0.1:${ports.identityProvider}/realms/parley`),
      local: () => providerSource(patient),
    },
    {
      subject: 'Mail',
      variable: 'SMTP_URL',
      port: ports.mailPage,
      answers: (url) => (url ? smtpAnswers(url) : answersOk(`http://127.0.0.1:${ports.mailPage}/healthz`)),
      local: async () => ({ verdict: 'ok', finding: 'the mail catcher' }),
    },
  ]
  return Promise.all(backings.map((backing) => checkOne(backing, patient)))
}

async function checkOne({ subject, variable, port, answers, local }: Backing, patient: Patient): Promise<Check> {
  const url = backingUrl(patient.environment, variable)
  if (url) {
    const finding = `${hostOf(url)} from ${variable}`
    if (await answers(url)) return { verdict: 'ok', subject, finding: `${finding}, answers` }
    const remedy = `Start that server or correct ${variable}; without it Parley runs its own.`
    return { verdict: 'problem', subject, finding: `${finding} does not answer`, remedy }
  }
  if (patient.launcher === undefined || port === undefined) return { subject, ...(await local()) }
  if (await answers(undefined)) return { verdict: 'ok', subject, finding: `port ${port}, answers` }
  const log = join(patient.paths.logs, `${subject.toLowerCase().replace(' ', '-')}.log`)
  return { verdict: 'problem', subject, finding: `port ${port} does not answer`, remedy: `Its log says why: ${log}` }
}

/** The stand-in, or with KEYCLOAK=real what a Keycloak needs here. */
async function providerSource(patient: Patient): Promise<Pick<Check, 'verdict' | 'finding' | 'remedy'>> {
  try {
    if (!wantsKeycloak(patient.environment)) return { verdict: 'ok', finding: 'the stand-in' }
    const java = await requireJava(patient.environment)
    const home = patient.environment['KEYCLOAK_HOME']
    if (home) return { verdict: 'ok', finding: `Keycloak in ${home}, on ${java}` }
    const { verdict, finding } = await toolSource(keycloakTool, patient)
    return { verdict, finding: `Keycloak: ${finding}` }
  } catch (error) {
    if (error instanceof Problem) return { verdict: 'problem', finding: error.message }
    throw error
  }
}

async function toolSource(tool: Tool, { toolsDir }: Patient): Promise<Pick<Check, 'verdict' | 'finding' | 'remedy'>> {
  const notes: string[] = []
  const say = (line: string) => notes.push(line)
  const found =
    (await locateOnPath(tool, say)) ??
    (existsSync(toolsDir) ? await findObtained(tool, { toolsDir, say, repair: false }, 'digest') : undefined)
  if (found) return { verdict: 'ok', finding: `${found.path}, version ${found.version}` }
  if (notes.length > 0) return { verdict: 'note', finding: notes.join(' ') }
  return { verdict: 'note', finding: 'not on the PATH; npm start obtains it' }
}
