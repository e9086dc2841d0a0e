import { rmSync } from 'node:fs'
import { endLeftovers } from './children.ts'
import type { Component, ComponentName, Environment, StackContext } from './component.ts'
import { componentNames } from './component.ts'
import { processOrigin, publicOrigin } from './components/addresses.ts'
import { identityProviderComponent, issuerUrl, withProviderSecrets } from './components/identity-provider.ts'
import { mailComponent, mailPageUrl } from './components/mail.ts'
import { mongodbComponent, mongodbUrl } from './components/mongodb.ts'
import { joinProcesses } from './components/one-process.ts'
import { processComponent } from './components/process.ts'
import { redisComponent, redisUrl } from './components/redis.ts'
import { ensureFolder, writeJson } from './files.ts'
import { acquireLock } from './lock.ts'
import { sharedToolsDir, stackPaths } from './paths.ts'
import { choosePorts } from './ports.ts'
import { Problem } from './problem.ts'
import { once, type Progress, runComponents } from './run-components.ts'
import { loadSecrets, type Secrets } from './secrets.ts'

export interface StackOptions {
  /** Folder of everything that the stack stores; one stack a folder. */
  readonly dataDir: string
  /** The components to start, all where absent. Addresses and environments are made for the others too. */
  readonly components?: readonly ComponentName[]
  /** Port of the app; a kept random one where absent. */
  readonly appPort?: number
  /** Runs all processes of Parley as one Node process. */
  readonly asOne?: boolean
  /** Port of the page where it is served with hot reload, in front of the app: every process restarts when its files change. */
  readonly pagePort?: number | undefined
  /** Variables that replace or add to a component's own. */
  readonly env?: Partial<Record<ComponentName, Environment>>
  readonly onProgress?: (progress: Progress) => void
  /** Deletes all data of the folder first; obtained tools stay. */
  readonly fresh?: boolean
  /** Stores with test switches, and the folder is removed at the end. */
  readonly throwAway?: boolean
  /** Variables that may name backing components; the launcher's own where absent. */
  readonly environment?: NodeJS.ProcessEnv
  /** Gives up a start that is under way; what was started is stopped and the promise rejects. */
  readonly signal?: AbortSignal | undefined
}

export interface Stack {
  readonly urls: ReturnType<typeof urlsOf>
  /** The complete environment of every component, started or not. */
  readonly env: Record<ComponentName, Environment>
  readonly secrets: Secrets
  readonly components: readonly Component[]
  /** Sends a signal to a component's process, as a test of its resilience does. */
  kill(component: ComponentName, signal: NodeJS.Signals): void
  /** Stops every component in order; safe to call twice. */
  stop(): Promise<void>
}

const backing = {
  mongodb: mongodbComponent,
  redis: redisComponent,
  mail: mailComponent,
  'identity-provider': identityProviderComponent,
}
const isBacking = (name: ComponentName): name is keyof typeof backing => name in backing

function buildComponent(name: ComponentName, context: StackContext, overrides: Environment = {}): Component {
  const component = isBacking(name) ? backing[name](context) : processComponent(name, context)
  // The command's environment is the same object as the component's, so that both see the overrides.
  Object.assign(component.env, overrides)
  return component
}

/**
 * Starts a stack: each component as soon as those that it needs are healthy.
 * @throws Problem if a component cannot run; whatever was started is stopped first.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, onProgress = () => {}, environment = process.env, throwAway = false, signal } = options
  const note = (line: string) => onProgress({ kind: 'note', line })
  const paths = stackPaths(dataDir)
  ensureFolder(dataDir)
  const lock = acquireLock(paths.lock)
  if (lock.staleHolder !== undefined) note('The last start ended without removing its lock; it was removed now.')
  let stopComponents = async () => {}
  const stop = once(async () => {
    await stopComponents()
    if (throwAway) rmSync(dataDir, { recursive: true, force: true })
    lock.release()
  })
  try {
    const leftovers = await endLeftovers(paths.children)
    if (leftovers.length > 0) note(`Still running from the last start and ended now: ${leftovers.join(', ')}.`)
    if (options.fresh) forgetData(paths)
    for (const folder of [paths.data, paths.logs]) ensureFolder(folder)
    const context: StackContext = {
      paths,
      toolsDir: sharedToolsDir,
      ports: await choosePorts(paths.ports, options.appPort === undefined ? {} : { app: options.appPort }),
      secrets: withProviderSecrets(await loadSecrets(paths.secrets), environment),
      environment,
      forTests: throwAway,
      pagePort: options.pagePort,
      note,
      signal,
    }
    const each = componentNames.map((name) => buildComponent(name, context, options.env?.[name]))
    const all = options.asOne ? joinProcesses(each) : each
    const components = all.filter(({ name }) => (options.components ?? componentNames).includes(name))
    refuseStandIns(components, environment)
    const running = await runComponents(components, { context, onProgress, throwAway, signal })
    stopComponents = running.stop
    const urls = urlsOf(context)
    writeJson(paths.urls, urls)
    const env = Object.fromEntries(all.map((component) => [component.name, component.env])) as Stack['env']
    return { urls, env, secrets: context.secrets, components, kill: running.kill, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function refuseStandIns(components: readonly Component[], environment: NodeJS.ProcessEnv): void {
  const standIn = components.find((component) => component.kind === 'stand-in')
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

/** Returns the addresses at which the components of a stack are reached. */
const urlsOf = (context: StackContext) => ({
  /** Origin of the app as a browser knows it. */
  app: publicOrigin(context),
  /** The mail catcher's page; `GET <mail>/email` answers every mail as JSON. Empty where SMTP_URL names a server. */
  mail: context.environment['SMTP_URL'] ? '' : mailPageUrl(context),
  identity: issuerUrl(context),
  /** Origin of the page of phones, of its control API below `/sim`, and of the Graph API. */
  simulator: processOrigin(context, 'simulator'),
  /** Origin at which webhooks arrive. */
  ingest: processOrigin(context, 'messaging-ingest'),
  mongodb: mongodbUrl(context),
  redis: redisUrl(context),
})
