import { createChildRecord } from './children.ts'
import { startKeeper } from './keeper.ts'
import { rotateLog } from './logs.ts'
import type { Part, PartName, StackContext } from './part.ts'
import { stopOrder } from './part.ts'
import { requirePort } from './ports.ts'
import { Problem } from './problem.ts'
import { openState, type State } from './state.ts'
import { type Supervised, supervise } from './supervise.ts'

/** What happens while a stack starts and runs. */
export type Progress =
  | { readonly kind: 'note'; readonly line: string }
  | { readonly kind: 'ready'; readonly part: Part; readonly elapsedMs: number; readonly version?: string | undefined }
  | { readonly kind: 'failed'; readonly problem: Problem }

interface RunOptions {
  readonly context: StackContext
  readonly onProgress: (progress: Progress) => void
  readonly throwAway: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Starts each part as soon as those that it needs answer, and keeps them running.
 * @throws Problem of the first part that cannot run; whatever was started is stopped first.
 */
export async function runParts(parts: readonly Part[], { context, onProgress, throwAway, signal }: RunOptions) {
  const { paths } = context
  const state = openState(paths.state)
  const keeper = startKeeper(throwAway ? paths.root : undefined)
  const record = createChildRecord(paths.children, keeper.watch)
  const processes = new Map<PartName, Pick<Supervised, 'kill' | 'stop'>>()
  const started = new Map<PartName, Promise<void>>()
  let stopping = false

  const stop = once(async () => {
    stopping = true
    for (const names of stopOrder) await Promise.all(names.map((name) => processes.get(name)?.stop()))
    record.clear()
    keeper.dismiss()
  })

  const start = async (part: Part) => {
    const since = performance.now()
    for (const name of part.local?.ports ?? []) await requirePort(name, context.ports[name], part.label)
    if (part.choice) state.check(part.name, part.label, part.choice)
    await requireAnswer(part)
    const prepared = await part.local?.prepare()
    if (prepared?.choice) state.check(part.name, part.label, prepared.choice)
    await Promise.all(part.needs.map((name) => started.get(name)))
    if (stopping) return
    if (part.local && prepared) {
      const process = supervise({
        name: part.name,
        label: part.label,
        command: prepared.command,
        logFile: rotateLog(paths.logs, part.name),
        record,
        onEvent: (line) => onProgress({ kind: 'note', line }),
        onGaveUp: (problem) => onProgress({ kind: 'failed', problem }),
      })
      processes.set(part.name, { stop: process.stop, kill: prepared.signal ?? process.kill })
      await process.untilReady(part.local.answers, part.local.startTimeoutMs)
    }
    keepChoice(state, part, prepared?.choice)
    onProgress({ kind: 'ready', part, elapsedMs: performance.now() - since, version: prepared?.version })
  }

  signal?.addEventListener('abort', () => void stop(), { once: true })
  for (const part of parts) started.set(part.name, start(part))
  try {
    await Promise.all(started.values())
    if (stopping) throw new Problem('The start was interrupted.', 'Start again with: npm start')
  } catch (error) {
    await stop()
    await Promise.allSettled(started.values())
    throw error
  }
  return {
    stop,
    kill: (name: PartName, signal: NodeJS.Signals) => {
      const process = processes.get(name)
      if (!process) throw new Problem(`The part ${name} is not run by this stack.`, 'Start it first.')
      process.kill(signal)
    },
  }
}

/** A server that the environment names has to be there already. */
async function requireAnswer({ label, address, remote }: Part): Promise<void> {
  if (!remote || (await remote.answers())) return
  throw new Problem(
    `${label} at ${address}, named by ${remote.variable}, does not answer.`,
    `Start that server, correct ${remote.variable}, or unset it so that Parley runs its own.`,
  )
}

function keepChoice(state: State, part: Part, prepared: Part['choice']): void {
  const choice = prepared ?? part.choice
  if (choice) state.keep(part.name, choice)
}

/** An action that happens once, however often it is asked for; everybody waits for the same end. */
export function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= action()
    return running
  }
}
