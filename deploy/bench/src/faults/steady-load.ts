import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toolsPath } from '@parley/ci/tools/folders'
import { outcomes, type Step, stepNames } from '@parley/k6/step'
import { repoRoot } from '@parley/local/paths'
import { z } from 'zod'

const stepSchema = z.object({
  at: z.number(),
  ms: z.number(),
  email: z.string(),
  name: z.enum(stepNames),
  outcome: z.enum(outcomes),
  detail: z.string().exactOptional(),
  number: z.number().exactOptional(),
})

/** k6 on the steady path, from `start` until it is stopped; its steps are read from its console. */
export function startSteadyLoad(env: Readonly<Record<string, string>>, folder: string) {
  const file = join(folder, 'steps.jsonl')
  const log = openSync(join(folder, 'k6.log'), 'w')
  const args = ['run', '--quiet', '--no-usage-report', '--log-format', 'raw', '--console-output', file]
  const child: ChildProcess = spawn('k6', [...args, join(repoRoot, 'deploy/k6/steady.ts')], {
    env: { ...env, PATH: toolsPath },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = once(child, 'exit')

  function steps(): Step[] {
    // The last line may be half written.
    const lines = readText(file).split('\n').slice(0, -1)
    return lines.filter(Boolean).map((line) => stepSchema.parse(JSON.parse(line)))
  }

  /** @throws where it does not come to pass within a minute, or k6 has ended. */
  async function until(condition: (steps: readonly Step[]) => boolean): Promise<void> {
    const deadline = performance.now() + 60_000
    while (!condition(steps())) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`the load did not begin as it should:\n${readText(join(folder, 'k6.log'))}`)
      await delay(100)
    }
  }

  /** Ends it in order: the accounts are removed. */
  async function stop(): Promise<void> {
    if (child.exitCode !== null) return
    child.kill('SIGINT')
    await ended
  }
  return { steps, until, stop }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
