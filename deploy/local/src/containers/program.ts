import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Choice, Environment, StackContext } from '../component.ts'
import { writeJson } from '../json-file.ts'
import { repoRoot } from '../paths.ts'
import { Problem } from '../problem.ts'
import type { Command } from '../supervise.ts'
import { composeImage, type ImageVariable } from './image.ts'
import { type ContainerSpec, containerSpecSchema } from './spec.ts'

interface Wanted {
  readonly name: string
  readonly image: ImageVariable
  readonly entrypoint: readonly string[]
  readonly args: readonly string[]
  readonly env?: Environment
  readonly mounts: ContainerSpec['mounts']
  /** Group of the process; that of the launcher where absent. */
  readonly group?: number
}

/**
 * A container as a program to supervise: a process of ours that runs it, hands on its log, and ends with it.
 * @throws Problem if no Docker daemon answers
 */
export async function containerProgram(wanted: Wanted, context: StackContext) {
  const { entrypoint, args, env = {}, mounts, group } = wanted
  const docker = await dockerClient()
  const image = composeImage(wanted.image, context.environment)
  // The folder's own name: two stacks of one machine do not meet.
  const stack = createHash('sha256').update(context.paths.root).digest('hex').slice(0, 12)
  const name = `parley-${stack}-${wanted.name}`
  const user = `${process.getuid?.() ?? 0}:${group ?? process.getgid?.() ?? 0}`
  const spec = containerSpecSchema.parse({ name, image, entrypoint, args, env, mounts, user })
  // A file and not an argument: it may hold secrets, and arguments can be read by everybody on the machine.
  const specFile = join(context.paths.data, `${wanted.name}.container.json`)
  writeJson(specFile, spec, 0o600)
  const command: Command = {
    file: process.execPath,
    args: [join(repoRoot, 'deploy/local/src/containers/run-container.ts'), specFile],
    env: dockerEnvironment(context.environment),
    cwd: context.paths.data,
  }
  return {
    command,
    choice: { source: 'container', what: image } satisfies Choice,
    version: image.split(':').at(-1) ?? image,
    signal: (signal: NodeJS.Signals) =>
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

const dockerVariables = [
  'PATH',
  'HOME',
  'DOCKER_HOST',
  'DOCKER_TLS_VERIFY',
  'DOCKER_CERT_PATH',
  'DOCKER_CONFIG',
  'DOCKER_AUTH_CONFIG',
] as const

function dockerEnvironment(environment: NodeJS.ProcessEnv): Environment {
  const kept = Object.entries(environment).filter(
    ([name, value]) => value && (name.startsWith('TESTCONTAINERS_') || dockerVariables.some((known) => known === name)),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}
