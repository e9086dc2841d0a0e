import type { NumberEvent } from '@parley/contracts/channel/numbers'
import { dayOf } from '@parley/contracts/core/english-format'
import { z } from 'zod'

const restrictionLabels: Readonly<Record<string, string>> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: 'Templates and campaigns cannot be sent',
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'Replies to customers cannot be sent',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'No numbers can be added',
  RESTRICTED_UTILITY_TEMPLATES: 'Utility templates cannot be sent',
  RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES: 'Utility templates cannot be sent directly',
}

/** Restrictions that affect calls alone: messages leave as before. */
const callRestrictions: Readonly<Record<string, string>> = {
  RESTRICTED_BUSINESS_INITIATED_CALLING: 'Calls to customers are paused',
  RESTRICTED_USER_INITIATED_CALLING: 'Calls from customers are paused',
  RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN: 'Customers do not see the call button',
  RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING: 'Calls are paused',
}

const restricted = (restrictions: Value['restriction_info'] = []): string =>
  restrictions
    .map(({ restriction_type: type = '', expiration: until }) =>
      [
        restrictionLabels[type] ?? callRestrictions[type] ?? spoken(type),
        until ? `until ${dayOf(new Date(until * 1000).toISOString())}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    )
    .map((sentence) => `${sentence}.`)
    .join(' ')

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

/** A change of an account in words (`account_update`). */
export function ofAccount(event: string | undefined, value: Value): Words {
  if (event === 'DISABLED_UPDATE') {
    const { waba_ban_state: state = '', waba_ban_date: date } = value.ban_info ?? {}
    const ban = bans[state]
    if (ban) return ban(date)
  }
  if (event === 'ACCOUNT_RESTRICTION') {
    const { restriction_info: restrictions = [] } = value
    const body = restricted(restrictions)
    const isOfCalls = ({ restriction_type: type = '' }: (typeof restrictions)[number]) =>
      Object.hasOwn(callRestrictions, type) || type.includes('_CALLING')
    return restrictions.length > 0 && restrictions.every(isOfCalls)
      ? { severity: 'warning', title: 'WhatsApp has restricted calls', body }
      : { severity: 'error', title: 'WhatsApp has restricted the account', body, action: 'See what to do' }
  }
  if (event === 'PARTNER_REMOVED' || event === 'ACCOUNT_OFFBOARDED')
    return {
      severity: 'error',
      title: 'The account is no longer connected to Parley',
      body: 'Nothing is sent or received. Connect the number again, or check the Business Platform settings of the WhatsApp Business app.',
      action: 'See what to do',
    }
  if (event === 'ACCOUNT_RECONNECTED') return { severity: 'success', title: 'The account is connected again', body: '' }
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

export type Words = Pick<NumberEvent, 'severity' | 'title' | 'body'> & {
  /** Action to take; set where members are notified automatically. */
  readonly action?: string
}

const word = z
  .union([z.string().max(300), z.number().transform(String)])
  .optional()
  .catch(undefined)
const part = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape).optional().catch(undefined)
export const valueSchema = z.looseObject({
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
  username: word,
  message_template_name: word,
  correct_category: word,
})
export type Value = z.infer<typeof valueSchema>

/** `RESTRICTED_BIZ_INITIATED_MESSAGING` is “Restricted biz initiated messaging”. */
export function spoken(constant: string): string {
  const words = constant.replaceAll('_', ' ').toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
