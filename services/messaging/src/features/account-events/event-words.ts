import { countOf, dayOf } from '@parley/contracts/english-format'
import type { NumberEvent } from '@parley/contracts/numbers'
import { z } from 'zod'
import { type NumberEffect, readAccountEvent } from '../../whatsapp/account-event.ts'

type Words = Pick<NumberEvent, 'severity' | 'title' | 'body'> & {
  /** What to do about it, where people are told of it by themselves. */
  readonly action?: string
}

const word = z
  .union([z.string().max(300), z.number().transform(String)])
  .optional()
  .catch(undefined)
const part = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape).optional().catch(undefined)
const valueSchema = z.looseObject({
  ban_info: part({ waba_ban_state: word, waba_ban_date: word }),
  violation_info: part({ violation_type: word }),
  restriction_info: z
    .array(z.looseObject({ restriction_type: word, expiration: z.coerce.number().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  alert_info: part({ alert_severity: word, alert_type: word, alert_description: word }),
  requested_verified_name: word,
  rejection_reason: word,
  configuration_name: word,
  status: word,
})
type Value = z.infer<typeof valueSchema>

/** `RESTRICTED_BIZ_INITIATED_MESSAGING` is “Restricted biz initiated messaging”. */
function spoken(constant: string): string {
  const words = constant.replaceAll('_', ' ').toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const restrictions: Readonly<Record<string, string>> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: 'Templates and campaigns cannot be sent',
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'Replies to customers cannot be sent',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'No numbers can be added',
}

const bans: Readonly<Record<string, (date: string | undefined) => Words>> = {
  SCHEDULE_FOR_DISABLE: (date) => ({
    severity: 'error',
    title: 'WhatsApp is going to disable the account',
    body: `${date ? `That happens on ${date}. ` : ''}Appeal in WhatsApp Manager, under Business Support.`,
    action: 'See what to do',
  }),
  DISABLE: () => ({
    severity: 'error',
    title: 'WhatsApp has disabled the account',
    body: 'Nothing can be sent. Appeal in WhatsApp Manager, under Business Support.',
  }),
  REINSTATE: () => ({ severity: 'success', title: 'WhatsApp has enabled the account again', body: '' }),
}

function ofAccount(event: string | undefined, value: Value): Words {
  if (event === 'DISABLED_UPDATE') {
    const { waba_ban_state: state = '', waba_ban_date: date } = value.ban_info ?? {}
    const ban = bans[state]
    if (ban) return ban(date)
  }
  if (event === 'ACCOUNT_RESTRICTION') {
    const words = (value.restriction_info ?? []).map(({ restriction_type: type = '', expiration: until }) =>
      [restrictions[type] ?? spoken(type), until ? `until ${dayOf(new Date(until * 1000).toISOString())}` : '']
        .filter(Boolean)
        .join(' '),
    )
    return {
      severity: 'error',
      title: 'WhatsApp has restricted the account',
      body: words.length > 0 ? `${words.join('. ')}.` : '',
      action: 'See what to do',
    }
  }
  if (event === 'ACCOUNT_VIOLATION')
    return {
      severity: 'error',
      title: 'WhatsApp says that the account has broken its rules',
      body: [spoken(value.violation_info?.violation_type ?? ''), 'Check WhatsApp Manager, under Account quality.']
        .filter(Boolean)
        .join('. '),
      action: 'See what to do',
    }
  if (event === 'VERIFIED_ACCOUNT') return { severity: 'success', title: 'The business is verified', body: '' }
  if (event === 'ACCOUNT_DELETED')
    return { severity: 'error', title: 'The account was deleted at WhatsApp', body: 'Nothing can be sent.' }
  return { severity: 'info', title: spoken(event ?? 'Change of the account'), body: '' }
}

const decisions: Readonly<Record<string, Words>> = {
  APPROVED: { severity: 'success', title: 'WhatsApp has approved the account', body: '' },
  REJECTED: {
    severity: 'error',
    title: 'WhatsApp has rejected the account',
    body: 'Check WhatsApp Manager for the reason, and request another review there.',
    action: 'See what to do',
  },
  PENDING: { severity: 'info', title: 'WhatsApp reviews the account', body: '' },
  DEFERRED: { severity: 'info', title: 'WhatsApp has postponed the account review', body: '' },
}

const qualities: Readonly<Record<string, Words>> = {
  FLAGGED: {
    severity: 'warning',
    title: 'The quality of the number is low',
    body: 'Customers block or report its messages. WhatsApp may lower its limit.',
  },
  UNFLAGGED: { severity: 'success', title: 'The quality of the number is good again', body: '' },
  ONBOARDING: { severity: 'info', title: 'The number has its first messaging limit', body: '' },
  UPGRADE: { severity: 'success', title: 'The messaging limit is higher', body: '' },
  DOWNGRADE: { severity: 'warning', title: 'The messaging limit is lower', body: '' },
  THROUGHPUT_UPGRADE: {
    severity: 'success',
    title: 'The number can send faster',
    body: 'Up to 1,000 messages a second.',
  },
}

const security: Readonly<Record<string, string>> = {
  PIN_CHANGED: 'The two-step verification PIN was changed',
  PIN_RESET_REQUEST: 'Somebody has asked to reset the two-step verification PIN',
  PIN_RESET_SUCCESS: 'Two-step verification was switched off',
}

const alertSeverities: Readonly<Record<string, Words['severity']>> = { CRITICAL: 'error', WARNING: 'warning' }

type Reader = (event: string | undefined, value: Value, limit: string | undefined) => Words

const readers: Readonly<Record<string, Reader>> = {
  account_update: ofAccount,
  account_review_update: (decision = '') =>
    decisions[decision] ?? { severity: 'info', title: `Review of the account: ${spoken(decision)}`, body: '' },
  account_alerts: (_, { alert_info: alert }) => ({
    severity: alertSeverities[alert?.alert_severity ?? ''] ?? 'info',
    title: spoken(alert?.alert_type ?? 'Notice from WhatsApp'),
    body: alert?.alert_description ?? '',
  }),
  phone_number_quality_update: (event = '', _, limit = '') => {
    const words = qualities[event] ?? { severity: 'info', title: spoken(event || 'Quality of the number'), body: '' }
    return { ...words, body: [words.body, limit].filter(Boolean).join(' ') }
  },
  business_capability_update: (_event, _value, limit = '') => ({
    severity: 'info',
    title: 'WhatsApp updated the account’s limits',
    body: limit,
  }),
  phone_number_name_update: (decision, { requested_verified_name: name = '', rejection_reason: reason }) =>
    decision === 'APPROVED'
      ? { severity: 'success', title: `The display name ${name} was approved`.replace('  ', ' '), body: '' }
      : {
          severity: decision === 'REJECTED' || decision === 'DECLINED' ? 'error' : 'info',
          title: `Display name ${name}: ${spoken(decision ?? 'changed')}`.replace('  ', ' '),
          body: reason && reason !== 'NONE' ? spoken(reason) : '',
        },
  security: (event = '') => ({
    severity: 'warning',
    title: security[event] ?? spoken(event || 'Security of the number'),
    body: 'If no one on your team did this, check WhatsApp Manager.',
  }),
  payment_configuration_update: (_, { configuration_name: name, status }) => ({
    severity: 'info',
    title: 'The payment settings have changed',
    body: [name, status && spoken(status)].filter(Boolean).join(': '),
  }),
}

/** Chats of before that are there, or are not shared; parts on the way are shown with the number. */
function ofHistory(effects: readonly NumberEffect[]): Words | undefined {
  const declined = effects.find((effect) => effect.kind === 'historyDeclined')
  if (declined)
    return {
      severity: 'warning',
      title: 'The earlier chats are not shared',
      body: `${declined.reason}. To have them here, share the chat history when the number is connected in the WhatsApp Business app.`,
    }
  return effects.some((effect) => effect.kind === 'history' && effect.progress === 100)
    ? { severity: 'success', title: 'The earlier chats are here', body: '' }
    : undefined
}

/** The webhooks of accounts that the health of a number shows. */
export const shownFields = [...Object.keys(readers), 'messages', 'history']

/** A webhook about an account in words for people; `undefined` for one that is not for them. */
export function wordsOf(field: string, value: unknown): Words | undefined {
  const { event, effects } = readAccountEvent(field, value)
  const failure = effects.find((effect) => effect.kind === 'error')
  if (field === 'messages')
    return (
      failure && {
        severity: 'warning',
        title: failure.title || 'Problem with the number',
        body: `Code ${failure.code}`,
      }
    )
  if (field === 'history') return ofHistory(effects)
  const read = Object.hasOwn(readers, field) ? readers[field] : undefined
  const limit = effects.find((effect) => effect.kind === 'limit')
  return read?.(
    event,
    valueSchema.safeParse(value).data ?? {},
    limit &&
      (limit.messagingLimit === null
        ? 'It may start conversations with any number of customers.'
        : `It may start conversations with ${countOf(limit.messagingLimit)} customers a day.`),
  )
}
