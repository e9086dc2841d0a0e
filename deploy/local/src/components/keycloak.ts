import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Environment, LocalProgram, StackContext } from '../component.ts'
import { inheritedEnvironment } from '../environment.ts'
import { ensureFolder } from '../folders.ts'
import { Problem } from '../problem.ts'
import { respondsOk } from './health.ts'
import { requireJava } from './java.ts'
import { type KeycloakHome, readyKeycloakHome } from './keycloak-home.ts'
import { realmEnvironment, rememberImport } from './keycloak-realm.ts'

/** What decides the build; another value here makes the next start build again. */
const buildArguments = ['build', '--db=dev-file', '--cache=local']

/** The compiler for short runs starts a server in half the time. */
const javaOptions = ['-Xms64m', '-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError']

/** What Keycloak's own start script gives to every Java. */
const requiredOptions = [
  ...['java.util', 'java.util.concurrent', 'java.security', 'java.lang'].map(
    (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
  ),
  '-Djava.util.logging.manager=org.jboss.logmanager.LogManager',
  '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
  '-Dpicocli.disable.closures=true',
  '-Dquarkus-log-max-startup-records=10000',
  ...['-Dfile.encoding=UTF-8', '-Duser.language=en', '-Duser.country=US'],
]

/**
 * Whether KEYCLOAK asks for the real server.
 * @throws Problem if it says anything else than `real` or `stand-in`
 */
export function wantsKeycloak(environment: NodeJS.ProcessEnv): boolean {
  const wish = environment['KEYCLOAK']?.trim() || 'stand-in'
  if (wish === 'real' || wish === 'stand-in') return wish === 'real'
  throw new Problem(`KEYCLOAK is set to ${wish}.`, 'Set it to real for a Keycloak on this machine, or unset it.')
}

/** What a Keycloak of this stack is told: its realms' values, and an admin of its own console. */
export const keycloakSettings = (context: StackContext, origin: string): Environment => ({
  ...realmEnvironment(context, origin),
  KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
  KC_BOOTSTRAP_ADMIN_PASSWORD: context.secrets.keycloakAdminPassword,
})

export interface KeycloakOptions {
  readonly context: StackContext
  readonly origin: string
  readonly dataDir: string
  readonly settings: Environment
}

/** A real Keycloak with its files under `dataDir`, reached under the same addresses as the stand-in. */
export function keycloakProgram({ context, origin, dataDir, settings }: KeycloakOptions): LocalProgram {
  const env = { ...inheritedEnvironment(context.environment), ...settings }
  return {
    ports: ['identityProvider'],
    // On a busy machine the first start, with an empty database, takes minutes.
    startTimeoutMs: 900_000,
    prepare: async () => {
      const java = await requireJava(context.environment)
      ensureFolder(dataDir)
      const home = await readyKeycloakHome(dataDir, context)
      rememberImport(dataDir, settings)
      await build(home, { java, env, note: context.note })
      if (!existsSync(join(home.folder, 'data', 'h2')))
        context.note('Keycloak makes its database and imports the realms; this once it takes a minute or two …')
      const options = startOptions(context.ports.identityProvider, origin)
      const args = [
        ...javaArguments(home),
        '-Dkc.config.built=true',
        ...mainClass(home),
        'start',
        '--optimized',
        ...options,
      ]
      return { command: { file: java, args, env, cwd: home.folder }, version: home.version }
    },
    isHealthy: () => areRealmsHealthy(origin),
  }
}

/** True once both realms are published. */
export async function areRealmsHealthy(origin: string): Promise<boolean> {
  const discovery = (realm: string) => `${origin}/realms/${realm}/.well-known/openid-configuration`
  return (await respondsOk(discovery('parley'))) && respondsOk(discovery('google-offline'))
}

const javaArguments = ({ folder }: KeycloakHome): string[] => [
  ...javaOptions,
  ...requiredOptions,
  `-Dkc.home.dir=${folder}`,
  `-Djboss.server.config.dir=${join(folder, 'conf')}`,
]

const mainClass = ({ folder }: KeycloakHome): string[] => [
  ...['-cp', join(folder, 'lib', 'quarkus-run.jar')],
  'io.quarkus.bootstrap.runner.QuarkusEntryPoint',
]

/** Options of `start` that no build fixes. */
export function startOptions(port: number, origin: string): string[] {
  return [
    '--import-realm',
    ...['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${origin}`],
    // Otherwise sign-ins of one account at the same time refuse each other.
    '--spi-brute-force-protector--default-brute-force-detector--allow-concurrent-requests=true',
  ]
}

/** Keycloak is built once for its options; the start is then quick. The mark goes with the server when that is replaced. */
async function build(
  home: KeycloakHome,
  { java, env, note }: { java: string; env: Environment; note: StackContext['note'] },
): Promise<void> {
  const mark = join(home.folder, '.built')
  if (existsSync(mark)) return
  note(`Preparing Keycloak ${home.version} for its first start; this takes about a minute …`)
  const args = [...javaArguments(home), ...mainClass(home), ...buildArguments]
  try {
    await promisify(execFile)(java, args, { env, cwd: home.folder, timeout: 600_000 })
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : String(error)
    throw new Problem(
      `Keycloak could not be prepared: ${output.split('\n').at(-1) ?? ''}`,
      'Without KEYCLOAK=real the stand-in runs.',
    )
  }
  await writeFile(mark, '')
}
