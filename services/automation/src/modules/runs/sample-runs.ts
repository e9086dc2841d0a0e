import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { RunOutcome } from '@parley/contracts/automation/runs'
import { workflowEvents } from '@parley/contracts/automation/triggers'
import { idleState } from '@parley/flow/state'
import { mainNumberId } from '@parley/sample/numbers'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { sampleBotId, sampleContactIds, sampleConversationId, sampleIds } from '@parley/service-kit/data/sample-ids'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Session } from '../../platform/platform.ts'
import { runCountsOf } from './count-runs.ts'
import { tallyOf } from './flow-days.model.ts'
import { createFlowDays } from './flow-days.ts'
import { type RunRecord, runSchema } from './runs.model.ts'
import { ending } from './runs.repository.ts'
import { type StepRecord, stepSchema } from './steps.model.ts'

const maxStatement = 1000
const dayMs = 86_400_000
/** Past days over which the sessions are spread: within those that cards count. */
const toldDays = 29
const sessionMs = 120_000

interface History {
  readonly sample: SampleDataset
  /** Number at which the bots answer. */
  readonly numberId: string
}

/** Stores runs of the sample's bots and workflows, and removes them with those that ran since. */
export function createSampleRuns(connection: ServiceConnection) {
  const runs = workspaceCollection<RunRecord>({ connection, name: 'runs', schema: runSchema })
  const steps = workspaceCollection<StepRecord>({ connection, name: 'steps', schema: stepSchema })
  const counts = runCountsOf(connection)
  const flowDays = createFlowDays(connection)

  /**
   * Stores as many ended runs as each bot has had conversations and each workflow executions, of which its share ended well. Their ids follow from the
   * sample: told again, it is the same.
   */
  async function insert(scope: WorkspaceScope, history: History): Promise<void> {
    const places = placesIn(scope, history.sample)
    for (const flow of historiesIn(history.sample)) {
      const rows = rowsOf(scope, flow, history)
      for (let start = 0; start < rows.length; start += maxStatement)
        await runs(scope).insertPlain(
          rows
            .slice(start, start + maxStatement)
            .map((row, index) => ({ ...row, ...places[(start + index) % places.length] })),
        )
      await flowDays.tell(
        scope,
        rows.map(({ talliedAs, ...row }) => ({ ...row, tally: tallyOf(talliedAs) })),
      )
    }
  }

  /** Returns the sessions of some bots that hold a conversation. */
  const holders = (scope: WorkspaceScope, botIds: readonly string[], { session }: Partial<Session> = {}) =>
    runs(scope)
      .find({ flowId: { $in: botIds }, live: true, holds: true })
      .hint('running')
      .session(session ?? null)

  /** Removes sessions of some bots with their steps, but for those that have something to do. */
  async function remove(scope: WorkspaceScope, botIds: readonly string[], options: Partial<Session> = {}) {
    const ofBots = { flowId: { $in: botIds }, todo: { $exists: false } }
    const stepped = (await runs(scope).distinct('_id', { ...ofBots, steps: { $gt: 0 } }, options)).map(String)
    for (let start = 0; start < stepped.length; start += maxStatement)
      await steps(scope).deleteMany({ runId: { $in: stepped.slice(start, start + maxStatement) } }, options)
    await runs(scope).deleteMany(ofBots, options)
    await counts(scope).deleteMany({ flowId: { $in: botIds } }, options)
    await flowDays.days(scope).deleteMany({ flowId: { $in: botIds } }, options)
  }

  /**
   * Has the sessions that are left end once what they have to do is done: a claim that is on its way to messaging would make a bot that is
   * gone the owner of its conversation. Their days are gone: they count as begun once they end.
   */
  const endLater = (scope: WorkspaceScope, botIds: readonly string[], reason: string, { session }: Session) =>
    runs(scope).updateMany({ flowId: { $in: botIds }, live: true }, [...ending(reason), { $unset: ['talliedAs'] }], {
      session,
    })

  return { insert, holders, remove, endLater }
}

/** Past runs of one flow of the story. */
interface FlowHistory {
  readonly storyId: string
  readonly kind: RunRecord['kind']
  readonly draft: DraftFlow
  readonly begun: number
  /** Number of those that ended well; the others have `otherwise`. */
  readonly well: number
  readonly otherwise: RunOutcome
}

const historiesIn = ({ bots, workflows }: SampleDataset): FlowHistory[] => [
  ...[...bots.values()].map(({ id, draft, conversations, resolved }) => ({
    storyId: id,
    kind: 'bot' as const,
    draft,
    begun: conversations,
    well: resolved,
    otherwise: 'handed_over' as const,
  })),
  ...[...workflows.values()].map(({ id, draft, executions, succeeded }) => ({
    storyId: id,
    kind: 'workflow' as const,
    draft,
    begun: executions,
    well: succeeded,
    otherwise: 'failed' as const,
  })),
]

function rowsOf(scope: WorkspaceScope, flow: FlowHistory, { sample, numberId }: History) {
  const idAt = sampleIds(scope, `runs of ${flow.storyId}`)
  const trigger = flow.draft.nodes.find(({ type }) => type === 'trigger')
  const event = workflowEvents.find((name) => name === trigger?.settings['event'])
  const between = (toldDays * dayMs) / flow.begun
  const isWell = evenly(flow.well, flow.begun)
  return Array.from({ length: flow.begun }, (_, index) => {
    const outcome = isWell(index) ? ('completed' as const) : flow.otherwise
    const endedAt = new Date(sample.now.getTime() - Math.floor(index * between))
    const createdAt = new Date(endedAt.getTime() - sessionMs)
    const id = idAt(createdAt, index)
    return {
      _id: id,
      kind: flow.kind,
      flowId: sampleBotId(scope, flow.storyId),
      number: 1,
      numberId,
      status: 'ended' as const,
      state: { ...idleState, status: 'ended' as const },
      steps: 0,
      inbox: [],
      startedBy: { eventId: id, triggerId: trigger?.id ?? '', ...(event && { event }) },
      chain: [],
      legs: [],
      recent: { sentAt: [] },
      outcome,
      talliedAs: outcome,
      createdAt,
      // No expiry: the sample is there until it is cleared.
      endedAt,
    }
  })
}

/** Returns conversations of the sample at the bots' number, with their contacts. */
function placesIn(scope: WorkspaceScope, { conversations, contacts }: SampleDataset) {
  const idOf = sampleContactIds(scope)
  const known = new Map([...contacts.values()].map((contact, index) => [contact.id, { contact, index }]))
  return [...conversations.values()].flatMap((conversation) => {
    const found = conversation.numberId === mainNumberId ? known.get(conversation.contactId) : undefined
    if (!found) return []
    const contactId = idOf(found.contact, found.index)
    const contactName = found.contact.name.slice(0, 120)
    const conversationId = sampleConversationId(scope, conversation)
    return [{ contactId, contactName, conversationId, home: String(laneOf(contactId)) }]
  })
}

/** Spreads `part` of `all` evenly over them. */
const evenly =
  (part: number, all: number) =>
  (index: number): boolean =>
    Math.floor(((index + 1) * part) / all) > Math.floor((index * part) / all)
