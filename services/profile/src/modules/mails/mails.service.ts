import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord, Jobs } from '@parley/service-kit/queue/jobs'
import { type MailContent, mailText } from './mail-texts.ts'
import type { MailRecord } from './mails.model.ts'
import type { MailsRepository } from './mails.repository.ts'
import { leaseMs, type SendMail } from './send-mail.ts'

/** With the pauses between them about six hours. */
const maxTries = 12
const firstPauseMs = 30_000
const maxPauseMs = 3_600_000

export type MailsService = ReturnType<typeof createMailsService>

/** Mails of Parley's own: recorded with the change that they tell of, sent by the worker alone. */
export function createMailsService({ mails, queue }: { mails: MailsRepository; queue: Jobs['add'] }) {
  /** Records a mail, in the transaction of what it tells of. Call `wake` after the commit. */
  const order = (scope: WorkspaceScope, mail: { to: string } & MailContent, options?: SessionOption) =>
    mails.create(scope, mail, options)

  /** Has a mail sent at once; the sweep of the worker finds it anyway. */
  const wake = ({ id, workspaceId }: Pick<MailRecord, 'id' | 'workspaceId'>) => queue([{ id, workspaceId }])

  /** States of mails, by their id. */
  async function statesOf(scope: WorkspaceScope, ids: readonly string[]) {
    const found = await mails.findMany(scope, ids)
    return new Map(found.map(({ id, state, reason }) => [id, { state, ...(reason !== undefined && { reason }) }]))
  }

  return { order, wake, statesOf, cancel: mails.cancel }
}

/** The worker's side: sends the mails that are due, each once per stored id as far as the mail server tells. */
export function createMailWork(deps: {
  mails: MailsRepository
  send: SendMail
  origin: string
  logger: Logger
  metrics: Metrics
  now?: () => Date
}) {
  const { mails, send, origin, logger, metrics, now = () => new Date() } = deps
  const count = metrics.counter({
    name: 'mails_total',
    help: 'Mails by what became of a try: sent, later, given_up at the last one, refused, or unknown where the connection was lost',
    label: 'outcome',
    values: ['sent', 'later', 'given_up', 'refused', 'unknown'],
  })

  async function perform({ id, workspaceId }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const mail = await mails.claim(scope, id, { now: now(), until: new Date(now().getTime() + leaseMs) })
    if (!mail?.values) return
    const { to, tries, template, values } = mail
    // Both were recorded together.
    const outcome = await send({ id, to, ...mailText({ template, values } as MailContent, origin) })
    count(outcome.kind === 'later' && tries >= maxTries ? 'given_up' : outcome.kind)
    if (outcome.kind === 'sent') return void (await mails.settle(scope, id, { state: 'sent' }))
    const { kind, reason } = outcome
    logger.warn({ mail: id, template, tries, outcome: kind, reason }, 'a mail was not taken')
    if (kind === 'later' && tries < maxTries) {
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1))
      await mails.postpone(scope, id, { dueAt: new Date(now().getTime() + pauseMs), reason })
    } else await mails.settle(scope, id, { state: kind === 'unknown' ? 'unknown' : 'failed', reason })
  }

  const pendingRecords = async (): Promise<JobRecord[]> =>
    (await mails.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId }))

  return { perform, pendingRecords }
}
