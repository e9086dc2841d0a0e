import { expect, test } from 'vitest'
import { readAccountEvent } from '../../../whatsapp/account-event.ts'
import { shownFields, wordsOf } from './event-labels.ts'

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
  [
    'account_update',
    {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_BUSINESS_INITIATED_CALLING', expiration: 1767225600 },
        { restriction_type: 'RESTRICTED_USER_INITIATED_CALLING' },
      ],
    },
    {
      severity: 'warning',
      title: 'WhatsApp has restricted calls',
      body: 'Calls to customers are paused until Jan 1, 2026. Calls from customers are paused.',
    },
  ],
  [
    'account_update',
    { event: 'PARTNER_REMOVED', disconnection_info: { reason: 'CHANGE_NUMBER' } },
    { severity: 'error', title: 'The account is no longer connected to Parley', action: 'See what to do' },
  ],
  ['account_update', { event: 'ACCOUNT_OFFBOARDED' }, { severity: 'error', action: 'See what to do' }],
  ['account_update', { event: 'ACCOUNT_RECONNECTED' }, { severity: 'success' }],
  [
    'business_username_updates',
    { display_phone_number: '1555', username: 'chai', status: 'approved' },
    { severity: 'success', title: 'The username @chai was approved' },
  ],
  ['business_username_updates', { status: 'DELETED' }, { severity: 'warning', body: '' }],
  [
    'template_correct_category_detection',
    { message_template_name: 'order_news', category: 'UTILITY', correct_category: 'MARKETING' },
    { title: 'WhatsApp doubts the category of the template order_news', action: 'See what to do' },
  ],
  ['business_status_update', { event: 'COMPROMISED_NOTIFICATION' }, { severity: 'warning', action: 'See what to do' }],
  [
    'group_messages',
    { metadata: { phone_number_id: '1' } },
    { severity: 'info', title: 'Messages in groups are not shown' },
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

test.each([
  ['PARTNER_REMOVED', 33],
  ['ACCOUNT_OFFBOARDED', 131_031],
])('%s stops the numbers of the account', (event, code) => {
  const reason = expect.stringContaining('has disconnected this account from Parley')
  expect(readAccountEvent('account_update', { event }).effects).toEqual([{ kind: 'stop', code, reason }])
})

test('a restriction of calls asks nobody to act', () => {
  const restriction_info = [{ restriction_type: 'RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN' }]
  expect(wordsOf('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info })).not.toHaveProperty('action')
  const both = [...restriction_info, { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }]
  const words = wordsOf('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: both })
  expect(words).toMatchObject({ severity: 'error', action: 'See what to do' })
})

test.each([
  ...['business_username_updates', 'account_settings_update', 'messaging_handovers', 'standby', 'message_echoes'],
  ...['tracking_events', 'business_status_update', 'template_correct_category_detection', 'group_participant_update'],
])('%s is a field that is known', (field) => expect(readAccountEvent(field, {}).effects).toEqual([]))

test('a number is named by its display number, or by its phone number alone', () => {
  expect(readAccountEvent('account_update', { phone_number: '+1 555 000' }).displayNumber).toBe('1555000')
  expect(readAccountEvent('security', { display_phone_number: '1555' }).displayNumber).toBe('1555')
})

test('what is not for people has no words', () => {
  expect(wordsOf('messages', {})).toBeUndefined()
  expect(wordsOf('message_template_status_update', { event: 'APPROVED' })).toBeUndefined()
  expect(shownFields).not.toContain('user_preferences')
})
