import { keyVersionKey } from '@parley/contracts/account/api-keys'
import type { NewEvent } from '@parley/contracts/platform/events'
import { type Cells, placeWorkspace } from '@parley/service-kit/core/cells'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { createAuditLog } from '@parley/service-kit/data/audit-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { inTransaction, type RunInTransaction } from '@parley/service-kit/data/transaction'
import { type Lanes, laneOf } from '@parley/service-kit/queue/lanes'
import type { Queues } from '@parley/service-kit/queue/queues'
import type { Redis } from 'ioredis'
import { createApiKeysRepository } from './modules/api-keys/api-keys.repository.ts'
import { createApiKeysService } from './modules/api-keys/api-keys.service.ts'
import { createKeyNotices } from './modules/api-keys/key-notices.ts'
import { createAuditRepository } from './modules/audit/audit.repository.ts'
import { createAuditService } from './modules/audit/audit.service.ts'
import { createAuditRetention } from './modules/audit/retention.ts'
import type { AskPlan } from './modules/invitations/answers.ts'
import { createInvitationsRepository } from './modules/invitations/invitations.repository.ts'
import { createInvitationsService } from './modules/invitations/invitations.service.ts'
import { createWithdrawAll } from './modules/invitations/withdraw-all.ts'
import { createMailsRepository } from './modules/mails/mails.repository.ts'
import { createMailsService } from './modules/mails/mails.service.ts'
import { createDeletePerson } from './modules/members/delete-person.ts'
import { createEndMembership } from './modules/members/end-membership.ts'
import { createMemberActivity } from './modules/members/member-activity.model.ts'
import { createMembersService } from './modules/members/members.service.ts'
import { createProfileRepository } from './modules/profile/profile.repository.ts'
import { createProfileService } from './modules/profile/profile.service.ts'
import { createUserCache } from './modules/profile/user-cache.ts'
import { createSessionContextService } from './modules/session-context/session-context.service.ts'
import { announceMembers, createAccessVersions } from './modules/workspaces/access-versions.ts'
import { type ChangedKey, createDeletionService } from './modules/workspaces/deletion.service.ts'
import { createErasures } from './modules/workspaces/erase-workspaces.ts'
import { createExportOf } from './modules/workspaces/export-records.ts'
import { createSeats } from './modules/workspaces/seats.ts'
import { createWorkspacesRepository } from './modules/workspaces/workspaces.repository.ts'
import { createWorkspacesService } from './modules/workspaces/workspaces.service.ts'

export interface Dependencies {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly mongo: ServiceConnection
  readonly redis: Redis
  readonly queues: Pick<Queues, 'lanes' | 'jobs'>
  /** Asks messaging what the plan of a workspace allows. */
  readonly askPlan: AskPlan
  readonly cells: Cells
}

export type Services = ReturnType<typeof createServices>

/** Wires stores to repositories to services, for server and worker alike. */
export function createServices({ logger, metrics, mongo, redis, queues, askPlan, cells }: Dependencies) {
  const cacheRead = metrics.counter({
    name: 'user_cache_reads_total',
    help: 'Reads of users, answered by Redis (hit) or by MongoDB (miss)',
    label: 'result',
    values: ['hit', 'miss'],
  })
  const access = createAccessVersions(redis)
  const wakes = { events: queues.lanes('events'), outbox: queues.lanes('outbox') }
  const transaction = announceMembers(createTransaction(mongo, wakes), access.announce)
  const records = createWorkspacesRepository(mongo)
  const seats = createSeats(mongo, async (scope) => {
    const members = await records.activeMembers(scope)
    return { owners: members.filter(({ role }) => role === 'owner').length, taken: members.length }
  })
  const workspaces = createWorkspacesService({
    workspaces: records,
    seats,
    transaction,
    announce: access.announce,
    place: () => placeWorkspace(cells),
  })
  const mailRecords = createMailsRepository(mongo)
  const mails = createMailsService({ mails: mailRecords, queue: queues.jobs('mails').add })
  const users = createProfileRepository(mongo)
  const cache = createUserCache({ redis, onRead: (hit) => cacheRead(hit ? 'hit' : 'miss') })
  const profile = createProfileService({
    users,
    cache,
    mails,
    workspaces,
  })
  const { personOf } = profile
  const activity = createMemberActivity(mongo)
  const invitationRecords = createInvitationsRepository(mongo)
  const keys = createApiKeysRepository(mongo)
  const withdrawAll = createWithdrawAll({ invitations: invitationRecords, seats, mails })
  const endMembership = createEndMembership({ records, seats, withdrawAll, keys })
  const members = createMembersService({ workspaces, records, seats, endMembership, transaction, personOf, activity })
  const invitations = createInvitationsService({
    invitations: invitationRecords,
    workspaces,
    records,
    seats,
    mails,
    personOf,
    askPlan,
    transaction,
  })
  const sessionContext = createSessionContextService({ profile, workspaces, invitations })
  const apiKeys = createApiKeysService({
    keys,
    seats,
    transaction,
    askPlan,
    stateOf: workspaces.stateOf,
    announce: access.announceVersion,
  })
  const announceKeys = async (changed: readonly ChangedKey[]): Promise<void> => {
    for (const { publicId, revision } of changed) await access.announceVersion(keyVersionKey(publicId), revision)
  }
  const tellOfKeys = createKeyNotices({ keys, transaction })
  const auditRecords = createAuditRepository(mongo)
  const deletePerson = createDeletePerson({
    records,
    seats,
    endMembership,
    withdrawAll,
    keys,
    announceKeys,
    users,
    cache,
    invitations: invitationRecords,
    audit: auditRecords,
    transaction,
  })
  const audit = createAuditService({
    records: auditRecords,
    log: createAuditLog(mongo),
    personOf,
    placesOfEmail: async (email) => {
      const found = await users.idsByEmail(email)
      const memberships = await Promise.all(found.map((userId) => records.memberships(userId)))
      return memberships.flat()
    },
  })
  const deletion = createDeletionService({
    workspaces: records,
    keys,
    mails,
    personOf,
    transaction,
    announceKeys,
  })
  const erasures = createErasures({ mongo, workspaces: records, profile, transaction, cells, logger })
  const auditRetention = createAuditRetention(mongo)
  return {
    auditRetention,
    profile,
    workspaces,
    deletion,
    erasures,
    sessionContext,
    members,
    deletePerson,
    activity,
    invitations,
    apiKeys,
    tellOfKeys,
    audit,
    access,
    mailRecords,
    exportOf: createExportOf({ mongo, workspaces: records, personOf, auditLines: audit.lines }),
  }
}

/** Queues that the worker drains after a commit: events get their numbers, messages go to other services. */
interface Wakes {
  readonly events: Pick<Lanes, 'wake'>
  readonly outbox: Pick<Lanes, 'wake'>
}

/** Runs the kit's transaction; after the commit it wakes the worker for the workspaces with new events or messages. */
function createTransaction(mongo: ServiceConnection, { events, outbox }: Wakes): RunInTransaction {
  return async (work) => {
    const emitted = new Set<string>()
    const sent = new Set<string>()
    const result = await inTransaction(mongo, (tx) =>
      work({
        ...tx,
        emit: (event: NewEvent) => {
          tx.emit(event)
          emitted.add(event.workspaceId)
        },
        send: (message) => {
          tx.send(message)
          sent.add(message.workspaceId)
        },
      }),
    )
    if (emitted.size > 0) void events.wake([...emitted].map(laneOf))
    if (sent.size > 0) void outbox.wake([...sent].map(laneOf))
    return result
  }
}
