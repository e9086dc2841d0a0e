import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Environment, Prepared, StackContext } from '../component.ts'
import { isSetTo, pickVariables } from '../environment.ts'
import { repoRoot } from '../paths.ts'
import { Problem } from '../problem.ts'

/**
 * Returns whether MongoDB, Redis and Keycloak run as containers: PARLEY_BACKING=docker for a start, TEST_BACKING=docker for
 * tests.
 * @throws Problem if the variable says anything other than `docker` or `local`
 */
export const wantsContainers = ({ environment, forTests }: Pick<StackContext, 'environment' | 'forTests'>): boolean =>
  isSetTo(environment, forTests ? 'TEST_BACKING' : 'PARLEY_BACKING', 'docker', 'local')

/** The variables of docker-compose.yml that name the images of the backing components. */
export type ImageVariable = 'MONGO_IMAGE' | 'VALKEY_IMAGE' | 'KEYCLOAK_IMAGE'

/**
 * The image that docker-compose.yml takes: what the variable names, else the version that is pinned there and only there.
 * @throws Error if the file does not write it as `${VARIABLE:-image}`
 */
export function composeImage(variable: ImageVariable, environment: NodeJS.ProcessEnv): string {
  const named = environment[variable]?.trim()
  if (named) return named
  const text = readFileSync(join(repoRoot, 'docker-compose.yml'), 'utf8')
  const pinned = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(text)?.[1]
  if (!pinned) throw new Error(`docker-compose.yml states no default for ${variable}`)
  return pinned
}

/** A container as the launcher wants it: on the network of this machine, so that all addresses stay what they are. */
export const containerSpecSchema = z.strictObject({
  /** One container of the name at a time; an older one is removed. */
  name: z.string(),
  image: z.string(),
  entrypoint: z.array(z.string()),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  /** Folders and files of this machine. */
  mounts: z.array(z.strictObject({ source: z.string(), target: z.string(), mode: z.enum(['ro', 'rw']) })),
  /** `uid:gid` of the files that it writes. */
  user: z.string(),
})
type ContainerSpec = z.infer<typeof containerSpecSchema>

interface Wanted extends Pick<ContainerSpec, 'name' | 'entrypoint' | 'args' | 'mounts'> {
  readonly image: ImageVariable
  readonly env?: Environment
  /** Group of the process; that of the launcher where absent. */
  readonly group?: number
}

/**
 * A container as a program to supervise: a process of ours that runs it, hands on its log, and ends with it.
 * @throws Problem if no Docker daemon answers
 */
export async function containerProgram(wanted: Wanted, { environment, paths }: StackContext): Promise<Prepared> {
  const docker = await dockerClient()
  const image = composeImage(wanted.image, environment)
  // The folder's own name: two stacks of one machine do not meet.
  const stack = createHash('sha256').update(paths.root).digest('hex').slice(0, 12)
  const name = `parley-${stack}-${wanted.name}`
  const { group = process.getgid?.() ?? 0, env = {}, ...rest } = wanted
  const spec: ContainerSpec = { ...rest, env, name, image, user: `${process.getuid?.() ?? 0}:${group}` }
  return {
    command: {
      file: process.execPath,
      args: [join(import.meta.dirname, 'run-container.ts')],
      // Not an argument: it may hold secrets, and arguments can be read by everybody on the machine.
      env: { ...dockerEnvironment(environment), CONTAINER_SPEC: JSON.stringify(spec) },
      cwd: paths.data,
    },
    choice: { source: 'container', what: image },
    version: image.split(':').at(-1) ?? image,
    signal: (signal) =>
      void docker
        .getContainer(name)
        .kill({ signal })
        .catch(() => {}),
  }
}

/** Loaded only where containers are wanted: the library is large. */
async function dockerClient() {
  try {
    const { getContainerRuntimeClient } = await import('testcontainers')
    return (await getContainerRuntimeClient()).container.dockerode
  } catch (error) {
    throw new Problem(
      `No Docker daemon answers: ${error instanceof Error ? error.message : String(error)}.`,
      'Start Docker, name its socket in DOCKER_HOST, or unset PARLEY_BACKING and TEST_BACKING to run programs instead.',
    )
  }
}

/** Variables by which Docker and Testcontainers find the daemon. */
const dockerEnvironment = (environment: NodeJS.ProcessEnv): Environment =>
  pickVariables(environment, (name) => /^(PATH|HOME|DOCKER_.*|TESTCONTAINERS_.*)$/.test(name))
