import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { errorCodes } from '../../../whatsapp/error-codes.ts'
import type { MessageRecord } from './messages.model.ts'

type Session = Pick<Tx, 'session'>
interface Change {
  readonly id: string
  readonly set: Readonly<Record<string, unknown>>
}

/** Contacts carry in which campaigns, one after the other, they were not reached, until a message is delivered to them. */
export const createTrackDelivery =
  ({
    noteUndelivered,
    noteDelivered,
  }: {
    noteUndelivered: (
      scope: WorkspaceScope,
      contactIds: readonly string[],
      campaignId: string,
      tx: Session,
    ) => Promise<unknown>
    noteDelivered: (scope: WorkspaceScope, contactIds: readonly string[], tx: Session) => Promise<unknown>
  }) =>
  async (
    scope: WorkspaceScope,
    changed: readonly MessageRecord[],
    changes: readonly Change[],
    tx: Session,
  ): Promise<void> => {
    const became = new Map(changes.map(({ id, set }) => [id, set['status']]))
    const isNow = ({ id, status }: MessageRecord, ...wanted: string[]) =>
      status !== undefined && became.get(id) === status && wanted.includes(status)
    const failed = changed.filter(
      (message) =>
        message.cause.kind === 'campaign' &&
        isNow(message, 'failed') &&
        message.error?.code === errorCodes.undeliverable,
    )
    for (const [campaignId, messages] of Map.groupBy(failed, ({ cause }) => cause.id))
      await noteUndelivered(scope, contactsOf(messages), campaignId, tx)
    const delivered = contactsOf(changed.filter((message) => isNow(message, 'delivered', 'read')))
    if (delivered.length > 0) await noteDelivered(scope, delivered, tx)
  }

const contactsOf = (messages: readonly MessageRecord[]): string[] => [
  ...new Set(messages.map(({ contactId }) => contactId)),
]
