import { z } from 'zod'
import { createChildRecord } from './children.ts'
import {
  type Choice,
  type Component,
  type ComponentName,
  componentNames,
  type StackContext,
  stopOrder,
} from './component.ts'
import { readJson, writeJson } from './files.ts'
import { rotateLog } from './logs.ts'
import { requirePort } from './ports.ts'
import { Problem } from './problem.ts'
import { supervise } from './supervise.ts'
import { startSupervisor } from './supervisor.ts'

/** Events while a stack starts and runs. */
export type Progress =
  | { readonly kind: 'note'; readonly line: string }
  | {
      readonly kind: 'ready'
      readonly component: Component
      readonly elapsedMs: number
      readonly version?: string | undefined
    }
  | { readonly kind: 'failed'; readonly problem: Problem }

interface RunOptions {
  readonly context: StackContext
  readonly onProgress: (progress: Progress) => void
  readonly throwAway: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Starts each component as soon as those that it needs are healthy, and keeps them running.
 * @throws Problem of the first component that cannot run; whatever was started is stopped first.
 */
export async function runComponents(
  components: readonly Component[],
  { context, onProgress, throwAway, signal }: RunOptions,
) {
  const { paths } = context
  const state = openState(paths.state)
  const supervisor = startSupervisor(throwAway ? paths.root : undefined)
  const record = createChildRecord(paths.children, supervisor.watch)
  const processes = new Map<ComponentName, Pick<ReturnType<typeof supervise>, 'kill' | 'stop'>>()
  const started = new Map<ComponentName, Promise<void>>()
  let stopping = false

  const stop = once(async () => {
    stopping = true
    for (const names of stopOrder) await Promise.all(names.map((name) => processes.get(name)?.stop()))
    record.clear()
    supervisor.dismiss()
  })

  async function start(component: Component): Promise<void> {
    const since = performance.now()
    const { name, label, local } = component
    for (const port of local?.ports ?? []) await requirePort(port, context.ports[port], label)
    if (component.choice) state.check(name, label, component.choice)
    await requireAnswer(component)
    const prepared = await local?.prepare()
    const choice = prepared?.choice ?? component.choice
    if (choice) state.check(name, label, choice)
    const before = component.within ? [component.within] : component.needs
    await Promise.all(before.map((needed) => started.get(needed)))
    if (stopping) return
    if (local && prepared) {
      const process = supervise({
        name,
        label,
        command: prepared.command,
        logFile: rotateLog(paths.logs, name),
        record,
        onEvent: (line) => onProgress({ kind: 'note', line }),
        onGaveUp: (problem) => onProgress({ kind: 'failed', problem }),
      })
      processes.set(name, { stop: process.stop, kill: prepared.signal ?? process.kill })
      await process.untilReady(local.isHealthy, local.startTimeoutMs)
    }
    if (choice) state.keep(name, choice)
    onProgress({ kind: 'ready', component, elapsedMs: performance.now() - since, version: prepared?.version })
  }

  signal?.addEventListener('abort', () => void stop(), { once: true })
  for (const component of components) started.set(component.name, start(component))
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
    kill: (name: ComponentName, signal: NodeJS.Signals) => {
      const process = processes.get(name)
      if (!process) throw new Problem(`The component ${name} is not run by this stack.`, 'Start it first.')
      process.kill(signal)
    },
  }
}

/** A server that the environment names has to be there already. */
async function requireAnswer({ label, address, remote }: Component): Promise<void> {
  if (!remote || (await remote.isHealthy())) return
  throw new Problem(
    `${label} at ${address}, named by ${remote.variable}, does not answer.`,
    `Start that server, correct ${remote.variable}, or unset it so that Parley runs its own.`,
  )
}

/** An action that happens once, however often it is asked for; everybody waits for the same end. */
export function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= action()
    return running
  }
}

const choiceSchema = z.object({ source: z.enum(['environment', 'local', 'container']), what: z.string() })
const stateSchema = z.object({ choices: z.partialRecord(z.enum(componentNames), choiceSchema) })

/** Remembers which backing each component had, so that a later start never silently shows another, empty one. */
export function openState(file: string) {
  const choices = { ...readJson(file, stateSchema)?.choices }
  return {
    /**
     * Compares with the choice of the start before.
     * @throws Problem if it is another one: the data of the old choice would be out of sight.
     */
    check(component: ComponentName, label: string, now: Choice) {
      const before = choices[component]
      if (!before || (before.source === now.source && before.what === now.what)) return
      throw new Problem(
        `${label} was ${describe(before)} before and would now be ${describe(now)}, without the existing data.`,
        `Go back to what it was, or start empty with: npm start -- --fresh`,
      )
    },
    keep(component: ComponentName, choice: Choice) {
      choices[component] = choice
      writeJson(file, { choices })
    },
  }
}

const describe = (choice: Choice): string =>
  choice.source === 'environment'
    ? `the server ${choice.what} (from the environment)`
    : `${choice.what} ${choice.source === 'container' ? 'as a container' : 'on this machine'}`
