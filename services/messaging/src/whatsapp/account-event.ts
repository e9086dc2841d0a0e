import { z } from 'zod'
import { errorCodes } from './error-codes.ts'

/** Effect of an account's webhook on its numbers. */
export type NumberEffect =
  | { readonly kind: 'quality'; readonly quality: 'high' | 'low' }
  /** Customers a day that may be written to first; null is unlimited. */
  | { readonly kind: 'limit'; readonly messagingLimit: number | null }
  | { readonly kind: 'throughput'; readonly perSecond: number }
  | { readonly kind: 'stop'; readonly code: number; readonly reason: string }
  /** The reason that stopped the account has ended. */
  | { readonly kind: 'reinstate'; readonly code: number }
  | { readonly kind: 'error'; readonly code: number; readonly title: string }
  /** Progress of the chats from before, in percent. */
  | { readonly kind: 'history'; readonly progress: number; readonly phase: number | undefined }
  /** The business does not share them, in the platform's words. */
  | { readonly kind: 'historyDeclined'; readonly reason: string }
  | { readonly kind: 'unknown' }

export interface AccountEvent {
  /** `event` or `decision` as the platform names it. */
  readonly event: string | undefined
  /** Digits, where it is about one number. */
  readonly displayNumber: string | undefined
  readonly effects: readonly NumberEffect[]
}

/** The code under which the API refuses sends of an account that is locked. */
const accountLocked = 131031
const fastPerSecond = 1000

const word = z.string().max(120).optional().catch(undefined)
const tier = z
  .union([z.number().int(), z.string().max(40)])
  .optional()
  .catch(undefined)
const failures = z
  .array(z.looseObject({ code: z.coerce.number().int(), title: word, message: word }))
  .optional()
  .catch(undefined)
const valueSchema = z.looseObject({
  event: word,
  decision: word,
  display_phone_number: word,
  phone_number: word,
  current_limit: tier,
  max_daily_conversations_per_business: tier,
  max_daily_conversation_per_phone: tier,
  ban_info: z.looseObject({ waba_ban_state: word }).optional().catch(undefined),
  errors: failures,
  history: z
    .array(
      z.looseObject({
        metadata: z
          .looseObject({
            progress: z.coerce.number().min(0).max(100),
            phase: z.coerce.number().int().min(0).max(9).optional(),
          })
          .optional()
          .catch(undefined),
        errors: failures,
      }),
    )
    .optional()
    .catch(undefined),
})
type Value = z.infer<typeof valueSchema>

/** A field of our own: a message to the number in a group, which is not shown anywhere. */
export const groupMessages = 'group_messages'

/** Fields whose webhooks are kept for their other readers, and change nothing about a number. */
const keptFields = new Set(
  ['account_alerts', 'account_review_update', 'phone_number_name_update', 'message_template_status_update']
    .concat(['message_template_quality_update', 'message_template_components_update', 'template_category_update'])
    .concat(['security', 'smb_app_state_sync', 'partner_solutions', 'payment_configuration_update'])
    .concat(['automatic_events', 'flows', 'calls', 'business_username_update', 'user_preferences', 'user_id_update'])
    .concat([
      'business_username_updates',
      'account_settings_update',
      'messaging_handovers',
      'standby',
      'message_echoes',
    ])
    .concat(['tracking_events', 'business_status_update', 'template_correct_category_detection', groupMessages])
    .concat(['group_lifecycle_update', 'group_participant_update', 'group_participants_update'])
    .concat(['group_settings_update', 'group_status_update']),
)

const readers: Readonly<Record<string, (value: Value) => NumberEffect[]>> = {
  phone_number_quality_update: (value) => [
    ...qualityOf(value.event),
    ...limitOf(value.current_limit ?? value.max_daily_conversations_per_business),
    ...(value.event === 'THROUGHPUT_UPGRADE' ? [{ kind: 'throughput' as const, perSecond: fastPerSecond }] : []),
  ],
  business_capability_update: (value) =>
    limitOf(value.max_daily_conversations_per_business ?? value.max_daily_conversation_per_phone),
  account_update: ({ event, ban_info: ban }) => {
    const state = event === 'DISABLED_UPDATE' ? ban?.waba_ban_state : event
    if (state === 'DISABLE' || state === 'ACCOUNT_DELETED')
      return [{ kind: 'stop', code: accountLocked, reason: 'WhatsApp has disabled this account.' }]
    // Ends by itself, mostly within minutes.
    if (state === 'ACCOUNT_OFFBOARDED')
      return [{ kind: 'stop', code: accountLocked, reason: 'WhatsApp has disconnected this account from Parley.' }]
    // The partner may be another one: a number that can still be reached goes on after its next check.
    if (state === 'PARTNER_REMOVED')
      return [
        { kind: 'stop', code: errorCodes.noAccess, reason: 'The business has disconnected this account from Parley.' },
      ]
    if (state === 'REINSTATE' || state === 'ACCOUNT_RECONNECTED') return [{ kind: 'reinstate', code: accountLocked }]
    return []
  },
  history: ({ history = [] }) =>
    history.flatMap(({ metadata, errors = [] }): NumberEffect[] => {
      const [failure] = errors
      if (failure)
        return [{ kind: 'historyDeclined', reason: failure.message ?? failure.title ?? `Code ${failure.code}` }]
      return metadata ? [{ kind: 'history', progress: Math.round(metadata.progress), phase: metadata.phase }] : []
    }),
  // A problem of the number itself stands beside messages and statuses.
  messages: ({ errors = [] }) =>
    errors.slice(0, 1).map(({ code, title, message }) => ({ kind: 'error', code, title: title ?? message ?? '' })),
}

/**
 * Reads a webhook that is no message and no status.
 * Source: developers.facebook.com, WhatsApp Business Platform, webhooks reference.
 */
export function readAccountEvent(field: string, value: unknown): AccountEvent {
  const parsed = valueSchema.safeParse(value).data ?? {}
  const { event, decision, display_phone_number: displayNumber = parsed.phone_number } = parsed
  const read = Object.hasOwn(readers, field) ? readers[field] : undefined
  const unknown: NumberEffect[] = keptFields.has(field) ? [] : [{ kind: 'unknown' }]
  return {
    event: event ?? decision,
    displayNumber: displayNumber?.replace(/\D/g, ''),
    effects: read ? read(parsed) : unknown,
  }
}

function qualityOf(event: string | undefined): NumberEffect[] {
  if (event === 'FLAGGED') return [{ kind: 'quality', quality: 'low' }]
  return event === 'UNFLAGGED' ? [{ kind: 'quality', quality: 'high' }] : []
}

/** `2000`, `"TIER_2K"`, `"TIER_UNLIMITED"` or -1. */
function limitOf(tier: number | string | undefined): NumberEffect[] {
  if (tier === undefined || tier === 'TIER_NOT_SET') return []
  if (tier === -1 || tier === 'TIER_UNLIMITED') return [{ kind: 'limit', messagingLimit: null }]
  const [, count, thousands] = /^(?:TIER_)?(\d{1,9})(K?)$/.exec(String(tier)) ?? []
  return count === undefined ? [] : [{ kind: 'limit', messagingLimit: Number(count) * (thousands ? 1000 : 1) }]
}
