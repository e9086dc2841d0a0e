import { execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../paths.ts'

interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command to its end. @returns what it printed. @throws with its last words if it fails. */
export function run([file = '', ...args]: readonly string[], { cwd = root, env }: Options = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    execFile(file, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')
      reject(new Error(`${[file, ...args].join(' ').slice(0, 120)} failed:\n${said || error.message}`))
    })
  })
}

/** Whether a command ends well; what it prints is of no interest. */
export const succeeds = (command: readonly string[], options: Options = {}): Promise<boolean> =>
  run(command, options).then(
    () => true,
    () => false,
  )

/** Hands the output of one command to another: `from | to`. */
export function pipe(from: readonly string[], to: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const start = ([file = '', ...args]: readonly string[], stdio: 'pipe' | 'ignore') =>
    spawn(file, args, { env: { ...process.env, ...env }, stdio: [stdio, 'pipe', 'inherit'] })
  const [source, target] = [start(from, 'ignore'), start(to, 'pipe')]
  source.stdout.pipe(target.stdin ?? process.stdout)
  target.stdout.resume()
  const ended = [source, target].map(
    (child, index) =>
      new Promise<void>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code) =>
          code === 0 ? resolve() : reject(new Error(`${[from, to][index]?.slice(0, 3).join(' ')} ended with code ${code}`)),
        )
      }),
  )
  return Promise.all(ended).then(() => undefined)
}

/** Where a program lies on the PATH; undefined where it does not. */
export const which = (program: string, path = process.env['PATH'] ?? ''): string | undefined =>
  path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
