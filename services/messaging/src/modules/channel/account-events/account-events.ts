import { createHash } from 'node:crypto'
import type { NumberEvent } from '@parley/contracts/channel/numbers'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { z } from 'zod'
import type { AddNotifications } from '../../../platform/notification.ts'
import { cut, maxBody, titled } from '../../../platform/notification.ts'
import { readAccountEvent } from '../../../whatsapp/account-event.ts'
import type { NumberEvents } from '../numbers/number-events.ts'
import type { NumberRecord, NumbersService } from '../numbers/numbers.service.ts'
import { type AccountEventRecord, accountEventSchema } from './account-events.model.ts'
import type { Words } from './account-labels.ts'
import { shownFields, wordsOf } from './event-labels.ts'

/** A webhook about an account, as it came. */
export interface AccountUpdate {
  readonly accountId: string | undefined
  readonly phoneNumberId: string | undefined
  readonly field: string
  readonly value: unknown
  readonly at: Date
}

export type AccountEvents = ReturnType<typeof createAccountEvents>

/** Handles the platform's events about accounts and their numbers: quality, limits, restrictions, templates, and unknown ones. */
export function createAccountEvents({
  mongo,
  numberEvents: { apply: applyToNumbers },
  templateEvents: { apply: applyToTemplates },
  numbers: { read: readNumber, list: listNumbers },
  addNotifications,
}: {
  mongo: ServiceConnection
  numberEvents: NumberEvents
  templateEvents: {
    readonly apply: (
      scope: WorkspaceScope,
      update: { accountId: string; field: string; value: unknown; at: Date },
      tx: Tx,
    ) => Promise<void>
  }
  numbers: Pick<NumbersService, 'read' | 'list'>
  addNotifications: AddNotifications
}) {
  const events = workspaceCollection<AccountEventRecord>({
    connection: mongo,
    name: 'accountEvents',
    schema: accountEventSchema,
  })

  /** Keeps them and changes the numbers and templates that they are about, each once. */
  async function apply(scope: WorkspaceScope, updates: readonly AccountUpdate[], tx: Tx): Promise<void> {
    for (const { accountId = 'unknown', phoneNumberId, field, value, at } of updates) {
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
      await announce(scope, { accountEventId: upsertedId, accountId, field, value, at }, tx)
      await applyToTemplates(scope, { accountId, field, value, at }, tx)
      await applyToNumbers(scope, { accountId, phoneNumberId, displayNumber, field, effects, at }, tx)
      await notifyPeople(scope, { accountId, field, value, at, key }, tx)
    }
  }

  /** Records what there are words for. */
  async function announce(
    scope: WorkspaceScope,
    {
      accountEventId,
      accountId,
      field,
      value,
      at,
    }: Pick<AccountUpdate, 'field' | 'value' | 'at'> & Record<'accountEventId' | 'accountId', string>,
    tx: Tx,
  ): Promise<void> {
    if (!wordsOf(field, value)) return
    const accountNumbers = (await listNumbers(scope, tx)).filter(
      ({ businessAccountId }) => businessAccountId === accountId,
    )
    const about = accountNumbers.filter((candidate) => isAbout(candidate, field, value))
    const numberId = about.length === 1 ? about[0]?.id : undefined
    tx.emit({
      workspaceId: scope.workspaceId,
      type: 'account.changed',
      at: at.toISOString(),
      by: { kind: 'system' },
      data: { accountEventId, ...(numberId !== undefined && { numberId }) },
    })
  }

  /** Returns kept events in words, by id; those that tell nothing to people are left out. */
  async function wordsOfMany(scope: WorkspaceScope, ids: readonly string[]) {
    if (ids.length === 0) return new Map<string, Words>()
    const found = await events(scope).find({ _id: { $in: ids } })
    return new Map(
      found.flatMap(({ id, field, value }) => {
        const words = wordsOf(field, JSON.parse(value))
        return words ? [[id, words] as const] : []
      }),
    )
  }

  /** Notifies members of WhatsApp events about the account itself that need action. */
  async function notifyPeople(
    scope: WorkspaceScope,
    {
      accountId,
      field,
      value,
      at,
      key,
    }: Pick<AccountUpdate, 'field' | 'value' | 'at'> & Record<'accountId' | 'key', string>,
    tx: Tx,
  ): Promise<void> {
    const words = wordsOf(field, value)
    if (!words?.action) return
    const accountNumbers = (await listNumbers(scope, tx)).filter(
      ({ businessAccountId }) => businessAccountId === accountId,
    )
    const number = accountNumbers.find((candidate) => isAbout(candidate, field, value))
    if (!number) return
    const { severity, title, body, action } = words
    await addNotifications(
      scope,
      [
        {
          category: 'number',
          object: { kind: 'number_health', id: number.id },
          key: `account/${key}`,
          severity,
          at,
          action,
          title: titled(`${number.displayName}:`, title),
          body: cut(body, maxBody),
        },
      ],
      tx,
    )
  }

  /** Returns WhatsApp's events about a number and its account, newest first. @throws `not_found`. */
  async function ofNumber(scope: WorkspaceScope, numberId: string): Promise<{ items: NumberEvent[] }> {
    const number = await readNumber(scope, numberId)
    if (!number) throw errors.notFound('This number is no longer connected.')
    const updates = await events(scope)
      .find({ accountId: number.businessAccountId, field: { $in: shownFields } })
      .sort({ at: -1 })
      .limit(maxRead)
      .hint('account')
    const items = updates.flatMap(({ id, field, value: json, at }) => {
      const value: unknown = JSON.parse(json)
      const words = isAbout(number, field, value) ? wordsOf(field, value) : undefined
      return words ? [{ id, at: at.toISOString(), severity: words.severity, title: words.title, body: words.body }] : []
    })
    return { items: items.slice(0, maxShown) }
  }

  return { apply, ofNumber, wordsOfMany }
}

/** Maximum events read, those of the account's other numbers included. */
const maxRead = 200
const maxShown = 20

/** Returns whether an event of the account also concerns the number. */
function isAbout({ phoneNumber, phoneNumberId }: NumberRecord, field: string, value: unknown): boolean {
  const { displayNumber } = readAccountEvent(field, value)
  const named = metadataSchema.safeParse(value).data?.metadata.phone_number_id
  if (named !== undefined) return named === phoneNumberId
  return displayNumber === undefined || displayNumber === phoneNumber.replace(/\D/g, '')
}
const metadataSchema = z.looseObject({ metadata: z.looseObject({ phone_number_id: z.string() }) })
