import { programPath } from '../tools/folders.ts'
import { succeeds } from './command.ts'
import { nodeVersion } from './our-images.ts'

/** What runs containers here, and the images that it runs. */
export interface Engine {
  /** The command that speaks to it. */
  readonly client: string
  /** In words, for the report. */
  readonly what: string
  /** Variables for the client, for compose and for builds: where the daemon is, and images that are not the upstream ones. */
  readonly env: Readonly<Record<string, string>>
  /** Goes before a command that opens what containers publish. */
  readonly inside: readonly string[]
  /** Arguments of `docker build` on this machine. */
  readonly buildArguments: readonly string[]
  /** From building to running; images stay. */
  run(): Promise<void>
  close(): Promise<void>
}

/**
 * The machine's daemon with the upstream images, where it can pull; else a daemon of our own with images made of packages.
 * @returns a sentence why neither is to be had.
 */
export async function openEngine(log: (line: string) => void): Promise<Engine | string> {
  if (!(await canPull())) return (await import('../../offline/engine.ts')).openOfflineEngine(log)
  const nothing = async () => {}
  const what = "the machine's Docker with the upstream images"
  return { client: 'docker', what, env: {}, inside: [], buildArguments: [], run: nothing, close: nothing }
}

async function canPull(): Promise<boolean> {
  if (!programPath('docker') || !(await succeeds(['docker', 'version']))) return false
  return succeeds(['docker', 'pull', '--quiet', `node:${nodeVersion}-bookworm-slim`])
}
