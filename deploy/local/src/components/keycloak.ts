import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { passwordMinLength } from '@parley/contracts/account/auth'
import { z } from 'zod'
import type { Environment, LocalProgram, StackContext } from '../component.ts'
import { containerProgram, wantsContainers } from '../containers/program.ts'
import { inheritedEnvironment, isSetTo } from '../environment.ts'
import { ensureFolder, readJson, writeJson } from '../files.ts'
import { Problem } from '../problem.ts'
import { processOrigin, publicOrigin } from './addresses.ts'
import { respondsOk } from './health.ts'
import { requireJava } from './java.ts'
import { type KeycloakHome, passwordListFolder, readyKeycloakHome, realmFolder, realms } from './keycloak-home.ts'
import { smtpUrl } from './mail.ts'

/** Options that decide the build. */
const buildOptions = ['--db=dev-file', '--cache=local']

/** Options that Keycloak's own start script gives to every Java. The compiler for short runs starts a server in half the time. */
const javaOptions = [
  ...['-Xms64m', '-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
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
 * Returns whether KEYCLOAK asks for the real server.
 * @throws Problem if it says anything other than `real` or `stand-in`
 */
export const wantsKeycloak = (environment: NodeJS.ProcessEnv): boolean =>
  isSetTo(environment, 'KEYCLOAK', 'real', 'stand-in')

/** A real Keycloak, reached under the same addresses as the stand-in. */
export function keycloakComponent(context: StackContext, origin: string) {
  const dataDir = join(context.paths.data, 'keycloak')
  const env = {
    ...realmSettings(context, origin),
    KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
    KC_BOOTSTRAP_ADMIN_PASSWORD: context.secrets.keycloakAdminPassword,
  }
  const asContainer = wantsContainers(context)
  const local: LocalProgram = {
    ports: ['identityProvider'],
    // On a busy machine the first start, with an empty database, takes minutes.
    startTimeoutMs: 900_000,
    prepare: async () => {
      ensureFolder(dataDir)
      const options = startOptions(context.ports.identityProvider, origin)
      const prepared = await (asContainer ? container : program)(context, { dataDir, env, options })
      rememberImport(dataDir, env)
      return prepared
    },
    isHealthy: async () => {
      const healthy = realms.map((realm) => respondsOk(`${origin}/realms/${realm}/.well-known/openid-configuration`))
      return (await Promise.all(healthy)).every(Boolean)
    },
  }
  const choice = { source: asContainer ? 'container' : 'local', what: 'Keycloak' } as const
  return { kind: 'real', address: origin, dataAt: dataDir, env, choice, local } as const
}

interface Start {
  readonly dataDir: string
  readonly env: Environment
  readonly options: string[]
}

async function program(context: StackContext, { dataDir, env: settings, options }: Start) {
  const java = await requireJava(context.environment)
  const home = await readyKeycloakHome(dataDir, context)
  const env = { ...inheritedEnvironment(context.environment), ...settings }
  await build(home, { ...env, JAVA: java }, context.note)
  if (!existsSync(join(home.folder, 'data', 'h2')))
    context.note('Keycloak makes its database and imports the realms; this once it takes a minute or two …')
  const args = [
    ...javaOptions,
    `-Dkc.home.dir=${home.folder}`,
    `-Djboss.server.config.dir=${join(home.folder, 'conf')}`,
    '-Dkc.config.built=true',
    ...['-cp', join(home.folder, 'lib', 'quarkus-run.jar'), 'io.quarkus.bootstrap.runner.QuarkusEntryPoint'],
    ...['start', '--optimized', ...options],
  ]
  // Java is started directly: a signal to freeze or kill would reach Keycloak's start script instead.
  return { command: { file: java, args, env, cwd: home.folder }, version: home.version }
}

/** Runs Keycloak in a container, without Java and Maven on this machine. */
async function container(context: StackContext, { dataDir, env, options }: Start) {
  const home = '/opt/keycloak'
  const database = join(dataDir, 'h2')
  ensureFolder(database)
  const { choice: _choice, ...prepared } = await containerProgram(
    {
      name: 'keycloak',
      image: 'KEYCLOAK_IMAGE',
      entrypoint: [`${home}/bin/kc.sh`],
      args: ['start', ...buildOptions, ...options],
      env: { ...env, JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m', JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1' },
      mounts: [
        { source: database, target: `${home}/data/h2`, mode: 'rw' },
        ...realms.map((realm) => ({
          source: join(realmFolder, `realm-${realm}.json`),
          target: `${home}/data/import/${realm}-realm.json`,
          mode: 'ro' as const,
        })),
        { source: join(realmFolder, 'themes', 'parley'), target: `${home}/themes/parley`, mode: 'ro' },
        { source: passwordListFolder, target: `${home}/data/password-blacklists`, mode: 'ro' },
      ],
      // The image's own files belong to this group, no matter which user runs them.
      group: 0,
    },
    context,
  )
  return prepared
}

/** Options of `start` that no build fixes. */
const startOptions = (port: number, origin: string): string[] => [
  '--import-realm',
  ...['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${origin}`],
  // Otherwise sign-ins of one account at the same time refuse each other.
  '--spi-brute-force-protector--default-brute-force-detector--allow-concurrent-requests=true',
]

/** Builds Keycloak once for its options, so that the start is quick. The mark is removed with the server when that is replaced. */
async function build({ folder, version }: KeycloakHome, env: Environment, note: StackContext['note']): Promise<void> {
  const mark = join(folder, '.built')
  if (existsSync(mark)) return
  note(`Preparing Keycloak ${version} for its first start; this takes about a minute …`)
  try {
    await promisify(execFile)(join(folder, 'bin', 'kc.sh'), ['build', ...buildOptions], { env, timeout: 600_000 })
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : String(error)
    throw new Problem(
      `Keycloak could not be prepared: ${output.split('\n').at(-1) ?? ''}`,
      'Without KEYCLOAK=real the stand-in runs.',
    )
  }
  await writeFile(mark, '')
}

/** Returns the settings of the app that every provider of this stack receives. */
export const appSettings = (context: StackContext): Environment => ({
  PUBLIC_ORIGIN: publicOrigin(context),
  BACKCHANNEL_URL: `${processOrigin(context, 'bff')}/auth/backchannel-logout`,
  BFF_WEB_SECRET: context.secrets.bffWebSecret,
  BFF_PASSWORD_SECRET: context.secrets.bffPasswordSecret,
  SVC_IDENTITY_SECRET: context.secrets.svcIdentitySecret,
  PASSWORD_MIN_LENGTH: context.environment['PASSWORD_MIN_LENGTH'] || String(passwordMinLength),
})

/** The values of the placeholders in `deploy/keycloak/realm-*.json`. */
function realmSettings(context: StackContext, origin: string): Environment {
  const google = `${origin}/realms/google-offline`
  const protocol = `${google}/protocol/openid-connect`
  const smtp = new URL(smtpUrl(context))
  return {
    ...appSettings(context),
    KEYCLOAK_URL: origin,
    GOOGLE_ISSUER: google,
    GOOGLE_AUTHORIZATION_URL: `${protocol}/auth`,
    GOOGLE_TOKEN_URL: `${protocol}/token`,
    GOOGLE_JWKS_URL: `${protocol}/certs`,
    GOOGLE_CLIENT_ID: 'parley-broker',
    GOOGLE_CLIENT_SECRET: context.secrets.googleClientSecret,
    SMTP_HOST: smtp.hostname,
    SMTP_PORT: smtp.port || '25',
    SMTP_FROM: 'no-reply@parley.example',
    SMTP_AUTH: String(smtp.username !== ''),
    SMTP_USER: decodeURIComponent(smtp.username),
    SMTP_PASSWORD: decodeURIComponent(smtp.password),
    SMTP_SSL: String(smtp.protocol === 'smtps:'),
    SMTP_STARTTLS: 'false',
  }
}

/** Settings of the app that a person can change between two starts. */
const importedSchema = z.object({ PUBLIC_ORIGIN: z.string(), SMTP_HOST: z.string(), SMTP_PORT: z.string() })

/**
 * Keycloak reads the placeholders once, when it imports the realm; this remembers what they were.
 * @throws Problem if they are others now: sign-ins or mails would fail in ways that are hard to read
 */
export function rememberImport(dataDir: string, settings: Environment): void {
  const file = join(dataDir, 'imported.json')
  const now = importedSchema.parse(settings)
  const before = readJson(file, importedSchema) ?? now
  const changed = importedSchema.keyof().options.find((name) => before[name] !== now[name])
  if (changed !== undefined)
    throw new Problem(
      `Keycloak's realm was made for ${changed} ${before[changed]} and would now get ${now[changed]}.`,
      'Start as before (PORT and SMTP_URL decide it), or start empty with: npm start -- --fresh',
    )
  writeJson(file, now)
}
