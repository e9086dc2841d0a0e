import { oneCell } from '@parley/service-kit/core/cells'
import { createRedis } from '@parley/service-kit/core/redis'
import { oldestWaitingEntryAt } from '@parley/service-kit/data/audit-log'
import { consume, dueWorkspaces, unreadSince } from '@parley/service-kit/data/consume'
import { measureCollections } from '@parley/service-kit/data/measure-collections'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { watchWrites } from '@parley/service-kit/data/mongo'
import { openDatabase } from '@parley/service-kit/data/open-database'
import { createOutboxDelivery } from '@parley/service-kit/data/outbox'
import { createSequencer } from '@parley/service-kit/data/sequencer'
import { drainWorkspaces } from '@parley/service-kit/queue/drain-workspaces'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { clockIdleMs } from '@parley/service-kit/queue/sweep'
import { connectMessaging } from './ask-messaging.ts'
import { workerConfigSchema } from './config.ts'
import { createPruner } from './modules/audit/prune-entries.ts'
import { createSealer } from './modules/audit/seal-entries.ts'
import { createMailWork } from './modules/mails/mails.service.ts'
import { createSendMail } from './modules/mails/send-mail.ts'
import { readCell } from './modules/workspaces/read-cell.ts'
import { createServices } from './services.ts'

const name = 'profile-worker'
/** Tells sessions of memberships whose author died before it could. */
const announcing = 'announce'
const invitationSweepMs = 60_000
const noticeSweepMs = 60_000
const erasureSweepMs = 60_000
/** Milliseconds until an entry of the audit log has its place in the chain. */
const sealMs = 1000
/** Milliseconds between two reports of the ends of the chains in the log of the process, which an intruder in the database does not reach. */
const anchorMs = 3600_000
/** Milliseconds between two looks for entries of the audit log whose time is over. */
const pruneMs = 3600_000

/** Numbers profile's events, tells sessions and messaging of changed memberships, sends mails, ends old invitations, has members told of keys that will end, seals the audit log and removes its oldest entries, erases deleted workspaces. */
await runWorker({
  name,
  service: 'profile',
  schema: workerConfigSchema,
  start: async (config, { logger, metrics, queues, giveUp }) => {
    const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
    const redis = createRedis(config.REDIS_URL, { name, logger, onRefused: giveUp })
    const database = openDatabase(config, { name, logger, metrics, migrations, onHopeless: giveUp })
    const { connection, isOpen } = database
    queues.rest.lookWhile(isOpen)
    measureCollections(connection, metrics)
    const writes = watchWrites(connection)
    const cells = config.CELLS ?? oneCell
    const { askPlan, deliver, publicKeys } = await connectMessaging(name, config, readCell(connection))
    const services = createServices({ logger, metrics, mongo: connection, redis, queues, askPlan, cells })

    const sequencer = createSequencer({
      connection,
      consumers: [{ consumer: announcing, types: ['member.changed'] }],
      wake: (workspaceId) => void queues.lanes(announcing).wake([laneOf(workspaceId)]),
    })
    const outbox = createOutboxDelivery(connection, { messaging: deliver })
    const due = async () => (await dueWorkspaces(connection, [announcing])).map(({ workspaceId }) => workspaceId)
    queues.workLanes(
      'events',
      ofWorkspaces(sequencer.waiting, async (id) => (await sequencer.sequence(id)) < 0),
    )
    queues.workLanes('outbox', ofWorkspaces(outbox.waiting, outbox.deliver))
    queues.workLanes(
      announcing,
      ofWorkspaces(due, (workspaceId) =>
        consume({
          connection,
          consumer: announcing,
          workspaceId,
          types: ['member.changed'],
          handle: async (events) => {
            for (const { type, data } of events)
              if (type === 'member.changed') await services.access.raise({ ...data, workspaceId })
          },
        }),
      ),
    )
    const mails = createMailWork({
      mails: services.mailRecords,
      send: createSendMail({ url: config.SMTP_URL, from: config.MAIL_FROM }),
      origin: config.PUBLIC_ORIGIN,
      logger,
      metrics,
    })
    queues.workJobs('mails', mails)
    queues.sweepEvery(invitationSweepMs, services.invitations.expireAll)
    queues.sweepEvery(noticeSweepMs, services.tellOfKeys)
    queues.sweepEvery(erasureSweepMs, services.erasures.run)
    queues.sweepEvery(sealMs, createSealer(connection, config.AUDIT_KEYS), { idleMs: clockIdleMs })
    queues.sweepEvery(anchorMs, async () => {
      for await (const anchor of services.audit.anchors()) logger.info(anchor, 'end of an audit chain')
    })
    const prune = createPruner(connection, config.AUDIT_KEYS, { retentionOf: services.auditRetention.read, logger })
    queues.sweepEvery(pruneMs, async () => {
      for await (const { workspaceId } of services.audit.anchors()) {
        const removed = await prune(workspaceId)
        if (removed > 0)
          logger.info({ workspaceId, removed }, 'entries of the audit log whose time is over were removed')
      }
    })
    metrics.gauge({
      name: 'workspace_erasure_age_seconds',
      help: 'Age of the oldest erasure of a deleted workspace that waits for a service, 0 where none does',
      label: 'service',
      read: services.erasures.ages,
    })
    const pendingSince = async () => {
      const [events, unread, unsent, mail, unsealed] = await Promise.all([
        sequencer.oldestWaitingAt(),
        unreadSince(connection, [{ consumer: announcing, types: ['member.changed'] }]),
        outbox.oldestAt(),
        services.mailRecords.oldestAt(),
        oldestWaitingEntryAt(connection),
      ])
      return { events, ...unread, outbox: unsent, mails: mail, audit: unsealed }
    }
    return {
      probes: [
        {
          name: 'mongodb',
          required: true,
          check: async () => isOpen() && writes.answers(),
          retry: database.retry,
        },
      ],
      publicKeys,
      pendingSince,
      // Mail servers set the pace of mails; one worker at a time seals a workspace.
      paced: ['mails', 'audit'],
      close: async () => {
        redis.disconnect()
        await database.close()
      },
    }
  },
})

/** The work of a lane: that of its workspaces which have any. */
function ofWorkspaces(waiting: () => Promise<readonly string[]>, work: (workspaceId: string) => Promise<boolean>) {
  return {
    drain: async (lane: number) => drainWorkspaces(lane, await waiting(), work),
    pendingLanes: async () => (await waiting()).map(laneOf),
  }
}
