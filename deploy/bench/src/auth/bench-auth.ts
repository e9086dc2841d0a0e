import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { configSchema } from '@parley/bff/config'
import { createDependencies } from '@parley/bff/dependencies'
import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { workspaceHeader } from '@parley/contracts/account/auth'
import { profileApi, userSchema } from '@parley/contracts/account/profile'
import { acceptsConnections } from '@parley/local/components/health'
import { signIn as signInByForm, signUp } from '@parley/local/testing/app-visitor'
import { parseConfig } from '@parley/service-kit/core/config'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { createLogger } from '@parley/service-kit/core/logger'
import { freePort } from '@parley/service-kit/testing/free-port'
import { createProviderAdmin } from '@parley/service-kit/testing/provider-admin'
import { inRounds, type LoadResult, runLoad } from '../load.ts'
import { cpuMicroseconds } from '../machine.ts'
import { startNode, startProgram, withCleanUp } from '../program.ts'
import { loadNow, log, report, spread, table } from '../report.ts'
import { type BenchStack, bffEnvironment, production, startBenchStack } from '../stack.ts'

/**
 * `npm run bench -- auth`: what a signed-in request costs through the BFF, against a bare http-proxy-middleware on the way to the
 * same route on the same machine in the same run; and what a call with an API key costs against the same call of a signed-in page. Only
 * ratios are compared; requests a second belong to this machine and moment.
 */
const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, seconds: { type: 'string', default: '5' } },
})
const [rounds, seconds, connections] = [Number(flags.rounds), Number(flags.seconds), 32]
const account = { email: 'bench@parley.test', password: 'correct horse battery' }
const warmUpSeconds = 3

/** Limits of calls by keys that no run reaches. */
const unlimited = {
  LIMIT_CALLS_PER_SECOND_PER_KEY: '1000000',
  LIMIT_CALLS_PER_MINUTE_PER_KEY: '1000000',
  LIMIT_CALLS_PER_MINUTE_PER_WORKSPACE: '1000000',
}

console.log(`load before the run ${loadNow()}; ${rounds} rounds of ${seconds} s, ${connections} connections`)
await withCleanUp(run)

/** One way to reach a route of the service. */
interface Subject {
  readonly origin: string
  /** Path of the route, where it is not the user's. */
  readonly path?: string
  readonly headers: () => Promise<Record<string, string>>
  /** Id of the proxy's own process. */
  readonly pid: () => number
}

/** `cpuPerRequest` is what the proxy's own process used, in microseconds. */
type Round = LoadResult & { readonly cpuPerRequest: number }

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const components = ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'] as const
  const bench = cleanUp.use(await startBenchStack({ components, env: { profile: production } }))
  const bff = await startBff(cleanUp, bench, unlimited)
  const { cookie, bearer, workspaceId } = await signIn(cleanUp, bench, bff.origin)
  // Both send the bearer: the bare proxy for the service, the BFF as its page does.
  const headers = async () => ({ authorization: await bearer() })
  const cookies = async () => ({ ...(await headers()), cookie })
  const another = { PORT: String(await freePort()), MANAGEMENT_PORT: String(await freePort()), SESSION_CACHE_MS: '0' }
  const shown = { [workspaceHeader]: workspaceId }
  const subjects = {
    BFF: { ...bff, headers: cookies },
    /** As a page of somebody with several workspaces calls. */
    'BFF, X-Workspace': { ...bff, headers: async () => ({ ...(await cookies()), ...shown }) },
    /** Measures a session that was not requested in the last second. */
    'BFF, session from Redis': { ...(await startBff(cleanUp, bench, another)), headers: cookies },
    'bare proxy': { ...(await startBareProxy(cleanUp, bench)), headers },
  }
  const key = await makeKey(bench, await bearer())
  const list = '/audit?limit=1'
  const callers = {
    'signed-in page': { ...bff, path: `/api${list}`, headers: async () => ({ cookie }) },
    'API key': { ...bff, path: `/v1${list}`, headers: async () => ({ authorization: `Bearer ${key}` }) },
  }
  for (const [name, subject] of Object.entries<Subject>(subjects)) {
    const answer = await fetch(subject.origin + profileApi.user.path, { headers: await subject.headers() })
    // One that answers with anything but the user would be measured for nothing.
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`)
    userSchema.parse(await answer.json())
    await measure(subject, warmUpSeconds)
  }
  const measured = await inRounds(rounds, {
    BFF: () => measure(subjects.BFF, seconds),
    'BFF, X-Workspace': () => measure(subjects['BFF, X-Workspace'], seconds),
    'BFF, session from Redis': () => measure(subjects['BFF, session from Redis'], seconds),
    'bare proxy': () => measure(subjects['bare proxy'], seconds),
  })
  print(measured)
  const { 'signed-in page': page, 'API key': keyed } = callers
  for (const caller of [page, keyed]) {
    const answer = await fetch(caller.origin + caller.path, { headers: await caller.headers() })
    if (answer.status !== 200) throw new Error(`${caller.path} answered ${answer.status}: ${await answer.text()}`)
    await measure(caller, warmUpSeconds)
  }
  const called = await inRounds(rounds, {
    'signed-in page': () => measure(page, seconds),
    'API key': () => measure(keyed, seconds),
  })
  printCallers(called)
}

async function measure(
  { origin, path = profileApi.user.path, headers, pid }: Subject,
  forSeconds: number,
): Promise<Round> {
  const load = { url: origin + path, headers: await headers(), connections, seconds: forSeconds }
  const before = cpuMicroseconds(pid())
  const result = await runLoad(load)
  return { ...result, cpuPerRequest: (cpuMicroseconds(pid()) - before) / (result.requestsPerSecond * forSeconds) }
}

type Measured = Readonly<Record<string, readonly Round[]>>

function printRounds(route: string, measured: Measured): void {
  const keys = ['requestsPerSecond', 'p50', 'p99', 'cpuPerRequest'] as const
  const rows = Object.entries(measured).map(([name, results]) => [
    name,
    ...keys.map((key) =>
      spread(
        results.map((round) => round[key]),
        0,
      ),
    ),
  ])
  console.log(`\n${table([[route, 'requests/s', 'p50 ms', 'p99 ms', 'own CPU µs a request'], ...rows])}`)
}

function ratiosOf(measured: Measured, key: keyof Round, name: string, base: string): number[] {
  return (measured[name] ?? []).map((round, index) => round[key] / (measured[base]?.[index]?.[key] ?? Number.NaN))
}

function printCallers(measured: Measured): void {
  printRounds('GET …/audit', measured)
  const ratios = (key: keyof Round) => ratiosOf(measured, key, 'API key', 'signed-in page')
  report([
    { name: 'requests/s, API key ÷ signed-in page', values: ratios('requestsPerSecond'), goal: { atLeast: 0.95 } },
    { name: 'CPU a request, API key ÷ signed-in page', values: ratios('cpuPerRequest') },
  ])
}

function print(measured: Measured): void {
  printRounds('GET /api/auth/user', measured)
  log('All requests are of one session, which the BFF keeps in memory for a second: the first line is its best case.')
  log('It writes a log line, metrics and security headers for each request, which the bare proxy does not.')
  const ratios = (key: keyof Round, name: string) => ratiosOf(measured, key, name, 'bare proxy')
  const fromRedis = 'BFF, session from Redis'
  report([
    { name: 'requests/s, BFF ÷ bare proxy', values: ratios('requestsPerSecond', 'BFF'), goal: { atLeast: 0.8 } },
    {
      name: 'requests/s, BFF with X-Workspace ÷ without',
      values: ratiosOf(measured, 'requestsPerSecond', 'BFF, X-Workspace', 'BFF'),
      goal: { atLeast: 0.97 },
    },
    { name: `requests/s, ${fromRedis} each time ÷ bare proxy`, values: ratios('requestsPerSecond', fromRedis) },
    { name: 'p99, BFF ÷ bare proxy', values: ratios('p99', 'BFF'), goal: { atMost: 2 } },
    { name: 'CPU a request, BFF ÷ bare proxy', values: ratios('cpuPerRequest', 'BFF') },
  ])
}

/** Makes an API key that may read the audit log. @returns its secret. */
async function makeKey({ stack }: BenchStack, authorization: string): Promise<string> {
  const answer = await fetch(`${stack.env.bff['PROFILE_URL']}${apiKeysApi.create.path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', scopes: ['audit:read'] }),
  })
  if (answer.status !== 201) throw new Error(`no key was made: ${await answer.text()}`)
  return apiKeysApi.create.response.parse(await answer.json()).secret
}

async function startBff(cleanUp: AsyncDisposableStack, bench: BenchStack, changed: Record<string, string> = {}) {
  const settings = { ...bffEnvironment(bench), ...changed }
  const name = `bff-${settings['PORT']}`
  const script = 'bff/src/server.ts'
  const { pid } = cleanUp.use(await startNode({ name, script, env: settings, folder: bench.folder }))
  return { origin: `http://127.0.0.1:${settings['PORT']}`, pid }
}

/** Express and http-proxy-middleware, nothing else. */
async function startBareProxy(cleanUp: AsyncDisposableStack, { stack, folder }: BenchStack) {
  const port = await freePort()
  const settings = { ...production, PORT: String(port), TARGET: stack.env.bff['PROFILE_URL'] ?? '' }
  const { pid } = cleanUp.use(
    await startProgram({
      name: 'bare-proxy',
      folder,
      file: process.execPath,
      args: [`${import.meta.dirname}/bare-proxy.process.ts`],
      env: { ...settings, PATH: env['PATH'] ?? '' },
      isHealthy: () => acceptsConnections(port),
    }),
  )
  return { origin: `http://127.0.0.1:${port}`, pid }
}

/** Marks the address of the account as verified, as the link of its mail does. */
async function verifyAddress({ stack }: BenchStack): Promise<void> {
  const {
    OIDC_ISSUER: issuer = '',
    IDENTITY_CLIENT_ID: clientId = '',
    IDENTITY_CLIENT_SECRET: clientSecret = '',
  } = stack.env.identity
  const provider = createProviderAdmin({ issuer, clientId, clientSecret })
  const found = await provider.findAccount(account.email)
  await provider.call('PUT', `/users/${found?.id}`, { ...found, emailVerified: true })
}

/** Signs an account up, and in with a verified address. @returns its cookie at the BFF, and what signs bearers that profile accepts for two minutes. */
async function signIn(cleanUp: AsyncDisposableStack, bench: BenchStack, origin: string) {
  const config = parseConfig(configSchema, bffEnvironment(bench))
  const { dependencies, disconnect } = await createDependencies(config, createLogger({ name: 'bench', level: 'error' }))
  cleanUp.defer(async () => disconnect())
  await signUp(origin, account)
  await verifyAddress(bench)
  const { cookie, ...answer } = await signInByForm(origin, account)
  const context = (await dependencies.store.load(cookie.split('=')[1] ?? ''))?.hot.context
  if (!context) throw new Error(`the sign-in did not lead to a session: ${JSON.stringify(answer)}`)
  const signer = await createInternalTokenSigner('bff', config.INTERNAL_TOKEN_KEYS)
  const { userId, workspaceId, role } = context
  const person = { email: account.email, email_verified: true, provider: 'password' }
  return {
    cookie,
    workspaceId,
    bearer: async () =>
      `Bearer ${await signer.sign({ aud: 'profile', sub: userId, wid: workspaceId, role, ...person })}`,
  }
}
