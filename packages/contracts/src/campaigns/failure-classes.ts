/** Classes of WhatsApp's errors, by what is to be done about a failed message. */
export const failureClasses = [
  'retry',
  'slow_number',
  'slow_contact',
  'wait_24h',
  'stop_number',
  'fix_template',
  'bad_value',
  'bad_file',
  'window_closed',
  'opted_out',
  'bad_contact',
  'bad_request',
] as const
export type FailureClass = (typeof failureClasses)[number]
