import { createHash } from 'node:crypto'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { readAccountEvent } from '../../whatsapp/account-event.ts'
import type { NumberEvents } from '../numbers/number-events.ts'
import type { TemplateEvents } from '../templates/template-events.ts'
import { type AccountEventRecord, accountEventSchema } from './account-events.model.ts'

/** A webhook about an account, as it came. */
export interface ToldOfAccount {
  readonly accountId: string | undefined
  readonly phoneNumberId: string | undefined
  readonly field: string
  readonly value: unknown
  readonly at: Date
}

export type AccountEvents = ReturnType<typeof createAccountEvents>

/** What the platform tells of accounts and their numbers: quality, limits, restrictions, templates, and what nobody here knows. */
export function createAccountEvents(
  connection: ServiceConnection,
  {
    applyToNumbers,
    applyToTemplates,
  }: { applyToNumbers: NumberEvents['apply']; applyToTemplates: TemplateEvents['apply'] },
) {
  const events = workspaceCollection<AccountEventRecord>({
    connection,
    name: 'accountEvents',
    schema: accountEventSchema,
  })

  /** Keeps them and changes the numbers and templates that they are about, each once. */
  async function apply(scope: WorkspaceScope, told: readonly ToldOfAccount[], tx: Tx): Promise<void> {
    for (const { accountId = 'unknown', phoneNumberId, field, value, at } of told) {
      const json = JSON.stringify(value) ?? 'null'
      const { event, displayNumber, effects } = readAccountEvent(field, value)
      const key = createHash('sha256').update([accountId, field, at.toISOString(), json].join('\n')).digest('hex')
      const { upsertedId } = await events(scope).updateOne(
        { key },
        {
          $setOnInsert: {
            accountId,
            field,
            ...(event !== undefined && { event }),
            value: json,
            at,
            recordedAt: new Date(),
          },
        },
        { session: tx.session, upsert: true },
      )
      if (upsertedId === null) continue
      await applyToTemplates(scope, { accountId, field, value, at }, tx)
      await applyToNumbers(scope, { accountId, phoneNumberId, displayNumber, field, effects, at }, tx)
    }
  }

  /** The newest events of some fields: those of templates, say. */
  const newest = (scope: WorkspaceScope, fields: readonly string[], limit: number): PromiseLike<AccountEventRecord[]> =>
    events(scope)
      .find({ field: { $in: fields } })
      .sort({ at: -1 })
      .limit(limit)
      .hint('field')

  return { apply, newest }
}
