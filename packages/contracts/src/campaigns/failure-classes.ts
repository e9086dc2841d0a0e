/** What is to be done about a failed message: errors of WhatsApp by what they ask for. */
export const failureClasses = [
  'retry',
  'slow_number',
  'slow_contact',
  'wait_24h',
  'stop_number',
  'fix_template',
  'bad_value',
  'window_closed',
  'opted_out',
  'bad_contact',
  'bad_request',
] as const
export type FailureClass = (typeof failureClasses)[number]
