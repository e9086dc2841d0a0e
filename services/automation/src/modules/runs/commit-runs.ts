import { setImmediate as nextTick } from 'node:timers/promises'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Platform, Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { inputRecord, RunInputs } from './run-inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import type { StepRecord } from './steps.model.ts'
import type { Effects } from './world.ts'

/** Steps of a run that are complete, and the input that they have answered. */
interface Done {
  readonly steps: readonly Omit<StepRecord, 'id'>[]
  readonly taken?: ReturnType<typeof inputRecord>
}
type Result = Done & { readonly run: RunRecord }

export type CommitRuns = ReturnType<typeof createCommitRuns>

/** Stores a changed run together with the effects of its inputs. */
export function createCommitRuns({
  runs,
  inputs,
  attention,
  keepPassed,
  transaction,
  queues,
  tell,
}: Pick<Platform, 'transaction' | 'queues'> & {
  /** Keeps conversations that are for people until messaging knows, which the reading of its events tells it. */
  readonly keepPassed: (scope: WorkspaceScope, passed: ReadonlySet<string>, tx: Session) => Promise<void>
  readonly runs: RunsRepository
  readonly inputs: Pick<RunInputs, 'write'>
  readonly attention: Pick<AttentionService, 'raise'>
  /** Wakes the lanes of stored runs, and tells pages. */
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
}) {
  const feedLanes = queues.lanes('events')
  const saveTogether = gather(async (workspaceId: string, results: readonly Result[]) => {
    const scope = { workspaceId }
    // Before what was to be done is put away: a crash in between leaves no step out.
    await write(scope, results)
    const changed = results.map(({ run }) => run)
    return (await runs.save(scope, changed, {}).catch(unlessHeld)) === changed.length
  })

  /** Another run has come to hold a conversation since this one was decided on: it has to be decided anew. */
  const unlessHeld = (error: unknown) => {
    if (!isDuplicateKey(error)) throw error
    return 0
  }

  const write = async (scope: WorkspaceScope, results: readonly Done[]) => {
    const written = [
      runs.writeSteps(
        scope,
        results.flatMap(({ steps }) => steps),
      ),
      inputs.write(
        scope,
        results.flatMap(({ taken }) => taken ?? []),
      ),
    ]
    await Promise.all(written)
  }

  /**
   * @returns true where it was stored. Otherwise somebody else has changed this run, or one that was stored together with it, since it was
   * read: it has to be read again.
   */
  return async (
    scope: WorkspaceScope,
    run: RunRecord,
    effects: Effects,
    done: Done = { steps: [] },
  ): Promise<boolean> => {
    const { started, passed } = effects
    if (effects.attention.length === 0 && started.length === 0 && passed.size === 0) {
      if (!(await saveTogether(scope.workspaceId, { run, ...done }))) return false
    } else {
      await write(scope, [done])
      const isStored = await transaction(async (tx) => {
        if ((await runs.save(scope, [run], tx)) === 0) return false
        if (started.length > 0) await runs.insert(scope, started, tx)
        await attention.raise(scope, effects.attention, tx)
        await keepPassed(scope, passed, tx)
        return true
      }).catch(unlessHeld)
      if (!isStored) return false
    }
    tell(scope, [run, ...started])
    if (passed.size > 0) void feedLanes.wake([laneOf(scope.workspaceId)])
    return true
  }
}

/**
 * Gathers what comes while earlier work of the same key is under way, and does it together: a busy key costs a few large pieces of work, an
 * idle one is not delayed.
 * @returns a function that resolves, or rejects, as the work of which its item has become a part.
 */
export function gather<T, R>(work: (key: string, items: readonly T[]) => Promise<R>) {
  const latest = new Map<string, Promise<unknown>>()
  const gathering = new Map<string, { readonly items: T[]; readonly result: Promise<R> }>()

  async function begin(key: string, items: readonly T[], before: Promise<unknown> | undefined): Promise<R> {
    await (before ?? nextTick())
    gathering.delete(key)
    return work(key, items)
  }

  return (key: string, item: T): Promise<R> => {
    const known = gathering.get(key)
    if (known) {
      known.items.push(item)
      return known.result
    }
    const items = [item]
    const result = begin(key, items, latest.get(key))
    gathering.set(key, { items, result })
    const over = result.then(
      () => undefined,
      () => undefined,
    )
    latest.set(key, over)
    void over.then(() => {
      if (latest.get(key) === over) latest.delete(key)
    })
    return result
  }
}
