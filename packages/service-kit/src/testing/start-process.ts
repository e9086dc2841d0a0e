import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

/** A process of ours under test. */
export interface TestProcess {
  readonly url: string
  /** Everything that it has written so far. */
  readonly output: () => string
  /** Sends SIGTERM and resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** Sends SIGKILL and resolves when it has ended. */
  readonly kill: () => Promise<number | null>
}

const startLimitMs = 240_000
const maxPauseMs = 1000
const ready = 'ready'
/** Compiled modules are kept: the next start of the same file takes half the time. */
const compileCache = fileURLToPath(new URL('../../../../.parley/compile-cache', import.meta.url))

/** A run of tests that is ended in the middle leaves no process behind. */
const endWithParent = 'data:text/javascript,process.on("disconnect", () => process.exit()); process.channel.unref()'

/**
 * Starts a server file as its own process, on a free port unless one is wanted, and waits until `/healthz` answers, or `/readyz` where the parts
 * that it waits for are to be there.
 * @throws with the process's output, and how it ended or what it answers, when it ends or is not ready within 240 s.
 */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  until: '/healthz' | '/readyz' = '/healthz',
  wantedPort?: number,
): Promise<TestProcess> {
  const port = wantedPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const run = runProcessFile(file, { ...env, PORT: String(port) })
  let waitedMs = 0
  for (let before = performance.now(); ; ) {
    const answer = await answerOf(`${url}${until}`)
    if (answer === ready) return { url, output: run.output, stop: run.stop, kill: run.kill }
    const now = performance.now()
    // Neither a clock that is put right nor a machine that stood still is waiting.
    waitedMs += Math.min(now - before, maxPauseMs)
    before = now
    if (run.endedBy() || waitedMs > startLimitMs) {
      const how = run.endedBy() ? `was ended by ${run.endedBy()}` : 'still ran'
      await run.stop()
      throw new Error(
        `${file} did not start: it ${how} after ${Math.round(waitedMs)} ms. ${until}: ${answer}\n${run.output()}`,
      )
    }
    await wait(50)
  }
}

/** Starts a server file that is expected to refuse; resolves with its exit code and output once it has ended. */
export async function runToEnd(
  file: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ exitCode: number | null; output: string }> {
  const run = runProcessFile(file, env, args)
  const exitCode = await run.exit
  return { exitCode, output: run.output() }
}

/** Starts a file that listens nowhere. `kill` is SIGKILL: it ends without a last word. `signal` has it stand still, and go on. */
export function startCommand(file: string, env: Record<string, string>, args: readonly string[] = []) {
  const { exit, output, kill, signal } = runProcessFile(file, env, args)
  return { exit, output, kill, signal }
}

function runProcessFile(file: string, env: Record<string, string>, args: readonly string[] = []) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--import', endWithParent, file, ...args], {
    env: { PATH, NODE_ENV: 'test', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  let endedBy = ''
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', (code, signal) => {
      endedBy = signal ?? `exit code ${code}`
      resolve(code)
    })
  })
  return {
    exit,
    /** The signal or exit code; empty while it runs. */
    endedBy: () => endedBy,
    output: () => text,
    signal: (name: 'SIGSTOP' | 'SIGCONT') => child.kill(name),
    kill: () => {
      child.kill('SIGKILL')
      return exit
    },
    stop: () => {
      child.kill('SIGTERM')
      return exit
    },
  }
}

/** @returns {@link ready}, or what was answered instead. */
async function answerOf(url: string): Promise<string> {
  try {
    const answer = await fetch(url)
    const text = await answer.text()
    return answer.ok ? ready : `${answer.status} ${text}`
  } catch {
    return 'no answer'
  }
}
