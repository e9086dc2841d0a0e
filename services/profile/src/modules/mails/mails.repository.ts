import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { MailContent } from './mail-texts.ts'
import { type MailRecord, mailSchema, waits } from './mails.model.ts'

const maxDue = 500

export type MailsRepository = ReturnType<typeof createMailsRepository>

export function createMailsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'mails', schema: mailSchema, bookkeeping: true as const }
  const mails = workspaceCollection<MailRecord>(definition)
  const pending = scopedCollection<object, MailRecord>(definition, () => ({ pending: waits }))

  return {
    create: (scope: WorkspaceScope, mail: { to: string } & MailContent, options: SessionOption = {}) =>
      mails(scope).create({ ...mail, state: 'queued', tries: 0, pending: waits, dueAt: new Date() }, options),
    findMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<MailRecord[]> =>
      mails(scope)
        .find({ _id: { $in: ids } })
        .limit(maxDue),
    /** Takes a mail that is due until a moment; `null` where another worker has it, or it has left. */
    claim: (scope: WorkspaceScope, id: string, { now, until }: { now: Date; until: Date }) =>
      mails(scope).findOneAndUpdate(
        { _id: id, pending: waits, dueAt: { $lte: now } },
        { $set: { dueAt: until }, $inc: { tries: 1 } },
      ),
    postpone: (scope: WorkspaceScope, id: string, { dueAt, reason }: { dueAt: Date; reason: string }) =>
      mails(scope).updateOne({ _id: id }, { $set: { dueAt, reason } }),
    /** It is not tried again: its values go. */
    settle: (
      scope: WorkspaceScope,
      id: string,
      outcome: { state: MailRecord['state']; reason?: string | undefined },
    ) => {
      const { state, reason } = outcome
      const gone = { pending: '', values: '', ...(reason === undefined && { reason: '' }) }
      return mails(scope).updateOne(
        { _id: id },
        { $set: { state, ...(reason !== undefined && { reason }) }, $unset: gone },
      )
    },
    /** Ends a mail that has not left. */
    cancel: (scope: WorkspaceScope, id: string, options: SessionOption) =>
      mails(scope).updateOne(
        { _id: id, pending: waits },
        { $set: { state: 'failed', reason: 'Another mail took its place.' }, $unset: { pending: '', values: '' } },
        options,
      ),
    /** Returns the time at which the oldest mail was recorded that has not left. */
    oldestAt: async (): Promise<Date | undefined> => {
      const [oldest] = await pending({}).find({}).sort({ createdAt: 1 }).limit(1).select('createdAt').hint('oldest')
      return oldest?.createdAt
    },
    due: (now: Date): PromiseLike<MailRecord[]> =>
      pending({})
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(maxDue)
        .hint('due'),
  }
}
