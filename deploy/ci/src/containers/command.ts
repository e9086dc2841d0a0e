import { execFile } from 'node:child_process'
import { root } from '../paths.ts'

interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command to its end. @returns what it printed. @throws with the end of what it printed if it fails. */
export function run([file = '', ...args]: readonly string[], { cwd = root, env }: Options = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    execFile(file, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const output = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')
      reject(new Error(`${[file, ...args].join(' ').slice(0, 120)} failed:\n${output || error.message}`))
    })
  })
}

/** Returns whether a command succeeds; its output is ignored. */
export const succeeds = (command: readonly string[], options: Options = {}): Promise<boolean> =>
  run(command, options).then(
    () => true,
    () => false,
  )

/** A project of its own: one that a person runs here is left alone. */
export const testProject = 'parley-ci'

/** @param program the compose command, its words separated by spaces (`PARLEY_COMPOSE`). */
export const composeCommand = (program: string, args: readonly string[], project = testProject): string[] => [
  ...program.split(' '),
  '--project-name',
  project,
  ...args,
]

/** Program that runs containers here, and the images that it runs. */
export interface Engine {
  /** The command that speaks to it. */
  readonly client: string
  /** Description in words, for the report. */
  readonly what: string
  /** Images are made of packages, as far as there are any. */
  readonly isOffline: boolean
  /** Variables for the client, for compose and for builds: where the daemon is, and images that are not the upstream ones. */
  readonly env: Readonly<Record<string, string>>
  /** Goes before a command that opens what containers publish. */
  readonly inside: readonly string[]
  /** Arguments of `docker build` on this machine. */
  readonly buildArguments: readonly string[]
  /** Builds and runs; images stay. */
  run(): Promise<void>
  close(): Promise<void>
}
