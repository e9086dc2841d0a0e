import type { ServiceMessage, ServiceMessageOf } from '@parley/contracts/platform/service-messages'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { createInbox } from '@parley/service-kit/data/inbox'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { Queues } from '@parley/service-kit/queue/queues'
import type { Closings } from '../../../platform/closings.model.ts'
import { type AddNotifications, cut, type NewNotification, titled } from '../../../platform/notification.ts'
import type { AssignmentService } from '../assignment/assignment.service.ts'
import type { ConversationChanges } from '../conversations/changes.service.ts'
import type { ConversationsRepository } from '../conversations/conversations.service.ts'
import { type DepartureRecord, departureSchema } from './departures.model.ts'

/** Names and roles of members are kept for a minute by each process: a little longer. */
const knownForMs = 90_000
const batch = 500

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly conversationRecords: Pick<ConversationsRepository, 'idsOfMember'>
  readonly changes: Pick<ConversationChanges, 'takeBack'>
  readonly assignment: Pick<AssignmentService, 'leaveOut'>
  readonly addNotifications: AddNotifications
  readonly closings: Pick<Closings, 'set'>
  readonly quota: {
    readonly skipTrial: (scope: WorkspaceScope, at: Date, options: Pick<Tx, 'session'>) => Promise<void>
  }
  readonly transaction: RunInTransaction
  readonly queues: Pick<Queues, 'jobs'>
  readonly now?: () => Date
}

/**
 * Applies what profile tells. Changes of members: pages are told, and conversations of a member who has left go back to the team. API
 * keys that will end, or that such a member had made: members are notified. A workspace that is being deleted: it stands still.
 */
export function createDepartures(deps: Dependencies) {
  const { mongo, conversationRecords: conversations, transaction, now = () => new Date() } = deps
  const { takeBack } = deps.changes
  const { leaveOut } = deps.assignment
  const departures = createDeparturesRepository(mongo)
  const queue = deps.queues.jobs('departures').add

  async function apply(workspaceId: string, message: ServiceMessage, tx: Tx): Promise<void> {
    if (message.type === 'member.changed') return applyMember({ workspaceId }, message, tx)
    if (message.type === 'workspace.created') return deps.quota.skipTrial({ workspaceId }, new Date(message.at), tx)
    if (message.type === 'workspace.state') return deps.closings.set({ workspaceId }, message.data.closing, tx)
    return deps.addNotifications({ workspaceId }, [ofEndingKey(message)], tx)
  }

  async function applyMember(
    scope: WorkspaceScope,
    message: ServiceMessageOf<'member.changed'>,
    tx: Tx,
  ): Promise<void> {
    const { workspaceId } = scope
    const { by } = message
    const { keys = [], ...data } = message.data
    const { memberId, userId, status, version } = data
    tx.emit({ workspaceId, type: 'member.changed', recordId: memberId, version, by, data })
    const { session } = tx
    if (status === 'active') return void (await departures.forget(scope, userId, { session }))
    await leaveOut(scope, userId, { session })
    if (keys.length > 0) await deps.addNotifications(scope, [ofKeysLeft(message, keys)], tx)
    const until = new Date(now().getTime() + knownForMs)
    await departures.begin(scope, { userId, by: by.id ?? userId, until, dueAt: now() }, { session })
  }
  const applyAll = createInbox({ connection: mongo, transaction, apply })

  /** Applies messages of profile about a workspace in their order, each once. */
  async function receive(scope: WorkspaceScope, messages: readonly ServiceMessage[]): Promise<void> {
    await applyAll(scope.workspaceId, messages)
    const isLeaving = (message: ServiceMessage) =>
      message.type === 'member.changed' && message.data.status === 'removed'
    if (messages.some(isLeaving)) await queue(await due())
  }

  /** Finds departures that are due. */
  const due = async () => (await departures.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId }))

  /** Takes back what a member who has left still owns, and once more when every process knows that they have left. */
  async function perform({ id, workspaceId }: { readonly id: string; readonly workspaceId: string }): Promise<void> {
    const scope = { workspaceId }
    const departure = await departures.find(scope, id)
    if (!departure) return
    const { userId, by } = departure
    await transaction((tx) => leaveOut(scope, userId, tx))
    for (let hasMore = true; hasMore; ) {
      const owned = await conversations.idsOfMember(scope, userId, batch)
      hasMore = false
      for (const conversationId of owned) hasMore = (await takeBack(scope, conversationId, { userId, by })) || hasMore
    }
    if (departure.until > now()) await departures.postpone(scope, departure)
    else await departures.end(scope, departure)
  }

  return { receive, due, perform }
}

/** The end of an API key, told once for each notice and end. */
function ofEndingKey({ at, data }: ServiceMessageOf<'apiKey.ending'>): NewNotification {
  const { keyId, name, expiresAt, days } = data
  return {
    category: 'api_key',
    severity: days > 1 ? 'warning' : 'error',
    title: titled(name, days > 1 ? `expires in ${days} days` : 'expires within a day'),
    body: 'From then on programs that use this API key are refused. Rotate it, or give it another end.',
    action: 'Look at the API keys',
    object: { kind: 'api_key', id: keyId },
    key: `api-key/${keyId}/${expiresAt}/${days}`,
    at: new Date(at),
  }
}

/** API keys that a member who has left had made: they are the workspace's and go on. */
function ofKeysLeft(
  { at, data: { memberId, version } }: ServiceMessageOf<'member.changed'>,
  keys: readonly { readonly id: string; readonly name: string }[],
): NewNotification {
  const named = keys.slice(0, maxNamed).map(({ name }) => cut(name, maxKeyName))
  const others = keys.length - named.length
  if (others > 0) named.push(`${others} ${others === 1 ? 'other' : 'others'}`)
  const makes = keys.length === 1 ? 'an API key that still works' : `${keys.length} API keys that still work`
  return {
    category: 'api_key',
    severity: 'warning',
    title: `A member who has left the team had made ${makes}`,
    body: `${listFormat.format(named)}: whoever has the key can go on using it. Revoke what nobody else needs.`,
    action: 'Look at the API keys',
    object: { kind: 'api_key', id: keys[0]?.id ?? '' },
    key: `api-keys-left/${memberId}/${version}`,
    at: new Date(at),
  }
}

const maxNamed = 3
const maxKeyName = 50
const listFormat = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const maxDue = 500

function createDeparturesRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'departures', schema: departureSchema }
  const departures = workspaceCollection<DepartureRecord>(definition)
  const everywhere = scopedCollection<object, DepartureRecord>(definition, () => ({ state: 'leaving' }))

  return {
    begin: (
      scope: WorkspaceScope,
      { userId, ...fields }: Pick<DepartureRecord, 'userId' | 'by' | 'until' | 'dueAt'>,
      options: Required<SessionOption>,
    ) =>
      departures(scope).findOneAndUpdate(
        { userId },
        { $set: { ...fields, state: 'leaving' } },
        { ...options, upsert: true },
      ),
    /** The member is back. */
    forget: (scope: WorkspaceScope, userId: string, options: Required<SessionOption>) =>
      departures(scope).deleteMany({ userId }, options),
    find: (scope: WorkspaceScope, id: string) => departures(scope).findOne({ _id: id }),
    /** Schedules the next check, or removes a departure that was not started again. */
    postpone: (scope: WorkspaceScope, { id, until }: DepartureRecord) =>
      departures(scope).updateOne({ _id: id }, { $set: { dueAt: until } }),
    end: (scope: WorkspaceScope, { id, until }: DepartureRecord) => departures(scope).deleteOne({ _id: id, until }),
    due: (now: Date): PromiseLike<DepartureRecord[]> =>
      everywhere({})
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(maxDue)
        .hint('due'),
  }
}
