import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { composeCommand, run, testProject } from './command.ts'

/** Values that the stage hands to the container tests. */
const handedSchema = z.object({
  /** The command that speaks to the daemon. */
  PARLEY_DOCKER: z.string(),
  /** The compose command, its words separated by spaces. */
  PARLEY_COMPOSE: z.string(),
  /** Text of the secrets that lay about while the images were built. */
  PARLEY_PLANTED: z.string(),
  NODE_IMAGE: z.string(),
  APP_PORT: z.string().default('3000'),
  KEYCLOAK_PORT: z.string().default('8081'),
  MAIL_PORT: z.string().default('1080'),
  SIMULATOR_PORT: z.string().default('3004'),
  PROMETHEUS_PORT: z.string().default('9090'),
  /** Redis in the place of Valkey. */
  REDIS_IMAGE: z.string().default('redis:7.2-bookworm'),
})
export const handed = handedSchema.parse(process.env)
export const appUrl = `http://localhost:${handed.APP_PORT}`

/** Containers that keep running. */
export const lasting = [
  'mongo',
  'valkey',
  'mail',
  'keycloak',
  'simulator',
  'profile-worker',
  'automation-worker',
  'automation',
  'messaging-worker',
  'messaging-webhooks',
  'messaging-ingest',
  'messaging',
  'identity',
  'profile',
  'bff',
] as const
export type Lasting = (typeof lasting)[number]

export const docker = (...args: string[]) => run([handed.PARLEY_DOCKER, ...args])
/** @param env variables beside those of this process. */
export const composeWith =
  (env: Record<string, string>, ofProject = testProject) =>
  (...args: string[]) =>
    run(composeCommand(handed.PARLEY_COMPOSE, args, ofProject), { env })
export const compose = composeWith({})
/** Runs Node as root with one volume, for files that only a container's user may touch. */
export const nodeWith = (volume: string, ...args: string[]) =>
  docker(...'run --rm --user 0 --network none --volume'.split(' '), volume, handed.NODE_IMAGE, 'node', ...args)

const containerSchema = z.object({
  Id: z.string(),
  State: z.object({
    Status: z.string(),
    Pid: z.number(),
    ExitCode: z.number(),
    StartedAt: z.string(),
    Health: z.object({ Status: z.string() }).optional(),
  }),
  RestartCount: z.number(),
  NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })) }),
  Config: z.object({ User: z.string() }),
  HostConfig: z.object({
    ReadonlyRootfs: z.boolean(),
    CapDrop: z.array(z.string()).nullable(),
    SecurityOpt: z.array(z.string()).nullable(),
    Memory: z.number(),
    Privileged: z.boolean(),
  }),
})

/** Ids of the project's containers, those that have ended too. */
export async function containerIds(service?: string, ofProject = testProject): Promise<string[]> {
  const labels = [`project=${ofProject}`, ...(service ? [`service=${service}`] : [])]
  const filters = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`])
  return (await docker('ps', '--all', '--quiet', '--no-trunc', ...filters)).trim().split('\n').filter(Boolean)
}

export async function inspect(service: string, ofProject = testProject) {
  const [container] = z
    .array(containerSchema)
    .parse(JSON.parse(await docker('inspect', ...(await containerIds(service, ofProject)))))
  if (!container) throw new Error(`there is no container of ${service}`)
  return container
}

/** Resolves once what `look` tells is true. @throws with `what` after `seconds`. */
export async function until(what: string, look: () => Promise<boolean>, seconds = 240): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (!(await look().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await wait(200)
  }
}

const isHealthy = async (service: Lasting) => (await inspect(service)).State.Health?.Status === 'healthy'

export const untilHealthy = (services: readonly Lasting[] = lasting) =>
  until(`${services.join(', ')} healthy`, async () => (await Promise.all(services.map(isHealthy))).every(Boolean), 600)

/** Starts what does not run and waits until all of it can serve. Older versions of compose cannot wait by themselves. */
export async function up(): Promise<void> {
  await compose('up', '--detach', '--no-build')
  await untilHealthy()
}

/** Returns all secrets of the stack by name, from the volume that only `init` reads. */
export async function secretsOfStack(ofProject = testProject): Promise<Record<string, string>> {
  const volume = `${ofProject}_secrets-made:/made:ro`
  const text = await nodeWith(volume, '-p', 'require("node:fs").readFileSync("/made/secrets.json","utf8")')
  return z.record(z.string(), z.string()).parse(JSON.parse(text))
}

/** Ends the process of a container as a crash does. `docker kill` would count as a deliberate stop. */
export async function crash(service: Lasting): Promise<void> {
  const { State, RestartCount } = await inspect(service)
  if (!readFileSync(`/proc/${State.Pid}/cmdline`, 'utf8')) throw new Error(`${service} has no process`)
  process.kill(State.Pid, 'SIGKILL')
  await until(`${service} restarted`, async () => (await inspect(service)).RestartCount > RestartCount)
}
