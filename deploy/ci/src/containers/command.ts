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

/** Whether a command ends well; what it prints is of no interest. */
export const succeeds = (command: readonly string[], options: Options = {}): Promise<boolean> =>
  run(command, options).then(
    () => true,
    () => false,
  )
