import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import { storedStarts } from '../runs/earlier-starts.ts'
import type { RunsRepository } from '../runs/runs.service.ts'
import { startOnRequest } from '../runs/start-workflows.ts'
import { noEffects } from '../runs/world.ts'
import { beginning, type Checkpoint, checkpointSchema, type StartInput, startInputSchema } from './flow-job-inputs.ts'
import type { FlowStep } from './flow-step.ts'

/** Contacts of one step, which is one transaction. */
const batchSize = 100

/** Contacts that a step looks at. */
interface Page {
  readonly ids: readonly string[]
  readonly contacts: ReadonlyMap<string, Contact>
  /** Place behind which the next step goes on; `undefined` at the end. */
  readonly next: string | undefined
  readonly total?: number | undefined
}

interface Dependencies extends Pick<Platform, 'askMessaging'> {
  readonly runs: RunsRepository
  readonly worlds: Worlds
  readonly attention: Pick<AttentionService, 'raise'>
  readonly now: () => Promise<number>
}

/** Creates the work on a start by hand or by a schedule: contacts page by page, each page with its runs in one transaction. */
export function createStartWork({ runs, worlds, attention, now, askMessaging }: Dependencies): FlowStep {
  async function read(scope: WorkspaceScope, of: StartInput['of'], after: string): Promise<Page> {
    if ('ids' in of) {
      const from = Number(after)
      const ids = of.ids.slice(from, from + batchSize)
      const { items } = await askMessaging(scope, messagingInternalApi.contacts, { body: { of: { ids } } })
      const end = from + ids.length
      return { ids, contacts: byId(items), next: end < of.ids.length ? String(end) : undefined, total: of.ids.length }
    }
    const body = { of: { ...of, after, limit: batchSize, ...(after === '' && { count: true }) } }
    const { ids, items, total } = await askMessaging(scope, messagingInternalApi.contacts, { body })
    return { ids, contacts: byId(items), next: ids.length < batchSize ? undefined : ids.at(-1), total }
  }

  return async (job, note) => {
    const scope = { workspaceId: job.workspaceId }
    const { flowId, of, schedule, by } = startInputSchema.parse(job.input)
    const checkpoint = checkpointSchema.parse(job.checkpoint ?? beginning)
    const world = worlds(scope, await now())
    const workflow = (await world.workflows()).find((one) => one.flowId === flowId)
    if (!workflow) return { checkpoint, result: { problem: 'The workflow was paused or deleted.' } }
    const page = await read(scope, of, checkpoint.after).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    })
    if (!page) return { checkpoint, result: { problem: 'The segment was deleted.' } }
    let reached: Checkpoint = checkpoint
    return {
      // The step's result is known once its transaction has written it.
      get checkpoint() {
        return { ...reached, after: page.next ?? checkpoint.after }
      },
      done: page.ids.length,
      ...(page.total !== undefined && { total: page.total }),
      ...(page.next === undefined && { result: {} }),
      write,
    }

    async function write(tx: Tx): Promise<void> {
      if (!page) return
      const effects = noEffects()
      const counted = { changed: checkpoint.changed, held: checkpoint.held, skipped: { ...checkpoint.skipped } }
      const earlier = storedStarts(runs, scope, tx)
      const batch = { world, effects, earlier, hourly: new Map<string, number>() }
      for (const id of page.ids) {
        const contact = page.contacts.get(id)
        const start = contact && workflow ? await startOnRequest(workflow, contact, { schedule, by }, batch) : 'gone'
        if (start === 'held') counted.held += 1
        if (start === 'held' || start === 'started') counted.changed += 1
        else counted.skipped[start] = (counted.skipped[start] ?? 0) + 1
      }
      if (effects.started.length > 0) await runs.insert(scope, effects.started, tx)
      await attention.raise(scope, effects.attention, tx)
      reached = { after: '', ...counted }
      note(effects.started)
    }
  }
}

const byId = (contacts: readonly Contact[]): ReadonlyMap<string, Contact> =>
  new Map(contacts.map((contact) => [contact.id, contact]))
