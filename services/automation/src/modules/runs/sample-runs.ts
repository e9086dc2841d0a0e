import { idleState } from '@parley/flow/state'
import { mainNumberId } from '@parley/sample/numbers'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { sampleBotId, sampleContactIds, sampleConversationId, sampleIds } from '@parley/service-kit/data/sample-ids'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Session } from '../../platform/platform.ts'
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

/** Stores sessions of the sample's bots, and removes them with those that ran since. */
export function createSampleRuns(connection: ServiceConnection) {
  const runs = workspaceCollection<RunRecord>({ connection, name: 'runs', schema: runSchema })
  const steps = workspaceCollection<StepRecord>({ connection, name: 'steps', schema: stepSchema })

  /**
   * Stores as many ended sessions as each bot has had conversations, of which its share was resolved. Their ids follow from the
   * sample: told again, it is the same.
   */
  async function insert(scope: WorkspaceScope, history: History): Promise<void> {
    const places = placesIn(scope, history.sample)
    for (const bot of history.sample.bots.values()) {
      const rows = rowsOf(scope, bot, history)
      for (let start = 0; start < rows.length; start += maxStatement)
        await runs(scope).insertPlain(
          rows
            .slice(start, start + maxStatement)
            .map((row, index) => ({ ...row, ...places[(start + index) % places.length] })),
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
  }

  /**
   * Has the sessions that are left end once what they have to do is done: a claim that is on its way to messaging would make a bot that is
   * gone the owner of its conversation.
   */
  const endLater = (scope: WorkspaceScope, botIds: readonly string[], reason: string, { session }: Session) =>
    runs(scope).updateMany({ flowId: { $in: botIds }, live: true }, ending(reason), { session })

  return { insert, holders, remove, endLater }
}

type SampleBot = SampleDataset['bots'] extends ReadonlyMap<string, infer Bot> ? Bot : never

function rowsOf(scope: WorkspaceScope, bot: SampleBot, { sample, numberId }: History) {
  const idAt = sampleIds(scope, `runs of ${bot.id}`)
  const triggerId = bot.draft.nodes.find(({ type }) => type === 'trigger')?.id ?? ''
  const between = (toldDays * dayMs) / bot.conversations
  const isResolved = evenly(bot.resolved, bot.conversations)
  return Array.from({ length: bot.conversations }, (_, index) => {
    const endedAt = new Date(sample.now.getTime() - Math.floor(index * between))
    const createdAt = new Date(endedAt.getTime() - sessionMs)
    const id = idAt(createdAt, index)
    return {
      _id: id,
      kind: 'bot' as const,
      flowId: sampleBotId(scope, bot.id),
      number: 1,
      numberId,
      status: 'ended' as const,
      state: { ...idleState, status: 'ended' as const },
      steps: 0,
      inbox: [],
      startedBy: { eventId: id, triggerId },
      chain: [],
      legs: [],
      recent: { sentAt: [] },
      outcome: isResolved(index) ? ('completed' as const) : ('handed_over' as const),
      createdAt,
      // No expiry: the sample is there until it is cleared.
      endedAt,
      // Sessions of the sample have none.
      updatedAt: undefined,
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
