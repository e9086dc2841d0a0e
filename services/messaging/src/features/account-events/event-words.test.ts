import { expect, test } from 'vitest'
import { shownFields, wordsOf } from './event-words.ts'

test.each([
  [
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'May 12, 2026' } },
    {
      severity: 'error',
      title: 'WhatsApp is going to disable the account',
      body: expect.stringMatching(/^That happens on May 12, 2026\./),
      action: 'See what to do',
    },
  ],
  [
    'account_update',
    {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: '1767225600' },
        { restriction_type: 'SOMETHING_NEW' },
      ],
    },
    {
      title: 'WhatsApp has restricted the account',
      body: 'Templates and campaigns cannot be sent until Jan 1, 2026. Something new.',
    },
  ],
  [
    'account_update',
    { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
    { severity: 'error', body: expect.stringMatching(/^Adult\. /) },
  ],
  ['account_update', { event: 'PARTNER_ADDED' }, { severity: 'info', title: 'Partner added', body: '' }],
  ['account_update', null, { severity: 'info' }],
  [
    'account_review_update',
    { decision: 'REJECTED' },
    { severity: 'error', title: 'WhatsApp has rejected the account' },
  ],
  [
    'phone_number_quality_update',
    { display_phone_number: '1555', event: 'ONBOARDING', max_daily_conversations_per_business: 'TIER_2K' },
    { body: 'It may start conversations with 2,000 customers a day.' },
  ],
  [
    'phone_number_quality_update',
    { event: 'FLAGGED', current_limit: 'TIER_NOT_SET' },
    { severity: 'warning', title: 'The quality of the number is low' },
  ],
  [
    'business_capability_update',
    { max_daily_conversations_per_business: -1 },
    { body: 'It may start conversations with any number of customers.' },
  ],
  [
    'phone_number_name_update',
    { decision: 'REJECTED', requested_verified_name: 'Chai', rejection_reason: 'NAME_NOT_CONSISTENT' },
    { severity: 'error', title: 'Display name Chai: Rejected', body: 'Name not consistent' },
  ],
  [
    'phone_number_name_update',
    { decision: 'APPROVED', requested_verified_name: 'Chai' },
    { severity: 'success', title: 'The display name Chai was approved' },
  ],
  ['security', { event: 'PIN_CHANGED' }, { severity: 'warning', title: 'The two-step verification PIN was changed' }],
  [
    'payment_configuration_update',
    { configuration_name: 'upi', status: 'NEEDS_TESTING' },
    { body: 'upi: Needs testing' },
  ],
  [
    'account_alerts',
    { alert_info: { alert_severity: 'CRITICAL', alert_type: 'OBA_REJECTED', alert_description: 'No badge.' } },
    { severity: 'error', title: 'Oba rejected', body: 'No badge.' },
  ],
  [
    'messages',
    { errors: [{ code: 130429, title: 'Rate limit hit' }] },
    { severity: 'warning', title: 'Rate limit hit', body: 'Code 130429' },
  ],
])('%s %j is told in words', (field, value, words) => {
  expect(shownFields).toContain(field)
  expect(wordsOf(field, value)).toMatchObject(words)
})

test('what is not for people has no words', () => {
  expect(wordsOf('messages', {})).toBeUndefined()
  expect(wordsOf('message_template_status_update', { event: 'APPROVED' })).toBeUndefined()
  expect(shownFields).not.toContain('user_preferences')
})
