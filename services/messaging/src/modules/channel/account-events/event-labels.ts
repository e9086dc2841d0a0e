import { countOf } from '@parley/contracts/core/english-format'
import { groupMessages, type NumberEffect, readAccountEvent } from '../../../whatsapp/account-event.ts'
import { ofAccount, spoken, type Value, valueSchema, type Words } from './account-labels.ts'

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
  business_username_update: (event, value) => ofUsername(event, value),
  business_username_updates: (event, value) => ofUsername(event, value),
  business_status_update: (event = '') => ({
    severity: 'warning',
    title: `Status of the business: ${spoken(event || 'changed')}`,
    body: 'Check WhatsApp Manager, under Business Support.',
    action: 'See what to do',
  }),
  template_correct_category_detection: (_, { message_template_name: name = '', correct_category: category }) => ({
    severity: 'warning',
    title: `WhatsApp doubts the category of the template ${name}`.trim(),
    body: `${category ? `It belongs to ${spoken(category)}, says WhatsApp. ` : ''}Change the template, or request a review in WhatsApp Manager.`,
    action: 'See what to do',
  }),
  [groupMessages]: () => ({
    severity: 'info',
    title: 'Messages in groups are not shown',
    body: 'Somebody wrote to this number in a group. Parley shows private conversations only: read groups in WhatsApp on the phone.',
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

const usernames: Readonly<Record<string, (name: string) => Words>> = {
  approved: (name) => ({ severity: 'success', title: `The username ${name} was approved`, body: '' }),
  reserved: (name) => ({ severity: 'info', title: `The username ${name} is reserved`, body: '' }),
  deleted: () => ({ severity: 'warning', title: 'The number no longer has a username', body: '' }),
}

function ofUsername(_event: string | undefined, { username = '', status = '' }: Value): Words {
  const name = username === '' ? 'of the number' : `@${username.replace(/^@/, '')}`
  const known = usernames[status.toLowerCase()]
  return known?.(name) ?? { severity: 'info', title: `The username ${name}: ${spoken(status || 'changed')}`, body: '' }
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
