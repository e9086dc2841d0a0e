import { type ChildProcess, execFile, spawn } from 'node:child_process'
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
export async function pipe(
  [fromFile = '', ...fromArgs]: readonly string[],
  [toFile = '', ...toArgs]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const source = spawn(fromFile, fromArgs, { stdio: ['ignore', 'pipe', 'inherit'] })
  const target = spawn(toFile, toArgs, { env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'inherit'] })
  source.stdout.pipe(target.stdin)
  await Promise.all([source, target].map(ended))
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${child.spawnfile} ended with code ${code}`)),
    )
  })
