import { rmSync } from 'node:fs'
import { endLeftovers } from './children.ts'
import { ensureFolder, requireSpace } from './folders.ts'
import { writeJson } from './json-file.ts'
import { takeLock } from './lock.ts'
import type { Environment, Part, PartName, StackContext } from './part.ts'
import { partNames } from './part.ts'
import { publicOrigin } from './parts/addresses.ts'
import { identityProviderPart, issuerUrl, withProviderSecrets } from './parts/identity-provider.ts'
import { mailPageUrl, mailPart } from './parts/mail.ts'
import { mongodbPart, mongodbUrl } from './parts/mongodb.ts'
import { processPart } from './parts/process.ts'
import { redisPart, redisUrl } from './parts/redis.ts'
import { sharedToolsDir, stackPaths } from './paths.ts'
import { choosePorts } from './ports.ts'
import { Problem } from './problem.ts'
import { once, type Progress, runParts } from './run-parts.ts'
import { loadSecrets, type Secrets } from './secrets.ts'

/** Where the parts of a stack are reached. `mail` is empty where SMTP_URL names a server of somebody else. */
interface StackUrls {
  /** Origin of the app as a browser knows it. */
  readonly app: string
  /** The mail catcher's page; `GET <mail>/email` answers every mail as JSON. */
  readonly mail: string
  /** The identity provider's issuer. */
  readonly identity: string
  readonly mongodb: string
  readonly redis: string
}

export interface StackOptions {
  /** Everything of this stack lies here; one stack a folder. */
  readonly dataDir: string
  /** The parts to start, all where absent. Addresses and environments are made for the others too. */
  readonly parts?: readonly PartName[]
  /** Port of the app; a kept random one where absent. */
  readonly appPort?: number
  /** Variables that replace or add to a part's own. */
  readonly env?: Partial<Record<PartName, Environment>>
  readonly onProgress?: (progress: Progress) => void
  /** Forget all data of the folder first; obtained tools stay. */
  readonly fresh?: boolean
  /** Stores with test switches, and the folder is removed at the end. */
  readonly throwAway?: boolean
  /** Variables that may name backing parts; the launcher's own where absent. */
  readonly environment?: NodeJS.ProcessEnv
  /** Gives up a start that is under way; what was started is stopped and the promise rejects. */
  readonly signal?: AbortSignal | undefined
}

export interface Stack {
  readonly urls: StackUrls
  /** The complete environment of every part, started or not. */
  readonly env: Record<PartName, Environment>
  readonly secrets: Secrets
  readonly parts: readonly Part[]
  /** Sends a signal to a part's process, as a test of its resilience does. */
  kill(part: PartName, signal: NodeJS.Signals): void
  /** Stops every part in order; safe to call twice. */
  stop(): Promise<void>
}

function buildPart(name: PartName, context: StackContext): Part {
  switch (name) {
    case 'mongodb':
      return mongodbPart(context)
    case 'redis':
      return redisPart(context)
    case 'mail':
      return mailPart(context)
    case 'identity-provider':
      return identityProviderPart(context)
    default:
      return processPart(name, context)
  }
}

/**
 * Starts a stack: each part as soon as those that it needs answer.
 * @throws Problem if a part cannot run; whatever was started is stopped first.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, onProgress = () => {}, environment = process.env } = options
  const say = (line: string) => onProgress({ kind: 'note', line })
  const paths = stackPaths(dataDir)
  ensureFolder(dataDir)
  const lock = takeLock(paths.lock)
  if (lock.mendedAfter !== undefined) say('The last start ended without tidying up; its lock was removed.')
  const cleanUp: (() => Promise<void> | void)[] = [lock.release]
  if (options.throwAway) cleanUp.unshift(() => rmSync(dataDir, { recursive: true, force: true }))
  try {
    const leftovers = await endLeftovers(paths.children)
    if (leftovers.length > 0) say(`Still running from the last start and ended now: ${leftovers.join(', ')}.`)
    if (options.fresh) forgetData(paths)
    for (const folder of [paths.data, paths.logs]) ensureFolder(folder)
    requireSpace(dataDir)
    const context: StackContext = {
      paths,
      toolsDir: sharedToolsDir,
      ports: await choosePorts(paths.ports, options.appPort === undefined ? {} : { app: options.appPort }),
      secrets: withProviderSecrets(await loadSecrets(paths.secrets), environment),
      environment,
      forTests: options.throwAway ?? false,
      say,
    }
    const all = partNames.map((name) => withOverrides(buildPart(name, context), options.env?.[name]))
    const chosen = all.filter((part) => (options.parts ?? partNames).includes(part.name))
    refuseStandIns(chosen, environment)
    const { throwAway = false, signal } = options
    const running = await runParts(chosen, { context, onProgress, throwAway, signal })
    cleanUp.unshift(running.stop)
    const urls = urlsOf(context)
    writeJson(paths.urls, urls)
    const stop = once(async () => {
      for (const step of cleanUp) await step()
    })
    return {
      urls,
      env: Object.fromEntries(all.map((part) => [part.name, part.env])) as Record<PartName, Environment>,
      secrets: context.secrets,
      parts: chosen,
      kill: running.kill,
      stop,
    }
  } catch (error) {
    for (const step of cleanUp) await step()
    throw error
  }
}

function withOverrides(part: Part, overrides: Environment | undefined): Part {
  // The command's environment is the same object as the part's, so that both see the override.
  if (overrides) Object.assign(part.env, overrides)
  return part
}

function refuseStandIns(parts: readonly Part[], environment: NodeJS.ProcessEnv): void {
  const standIn = parts.find((part) => part.kind === 'stand-in')
  if (environment['NODE_ENV'] !== 'production' || !standIn) return
  throw new Problem(
    `NODE_ENV is production, and ${standIn.label} would be a stand-in.`,
    'Unset NODE_ENV to run the local stack, or name real servers (OIDC_ISSUER, SMTP_URL).',
  )
}

function forgetData(paths: StackContext['paths']): void {
  for (const path of [paths.data, paths.state, paths.ports, paths.secrets, paths.urls, paths.logs])
    rmSync(path, { recursive: true, force: true })
}

const urlsOf = (context: StackContext): StackUrls => ({
  app: publicOrigin(context),
  mail: context.environment['SMTP_URL'] ? '' : mailPageUrl(context),
  identity: issuerUrl(context),
  mongodb: mongodbUrl(context),
  redis: redisUrl(context),
})
