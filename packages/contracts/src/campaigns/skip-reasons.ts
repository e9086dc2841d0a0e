/** Reasons why a message did not leave although nothing was wrong with it. */
export const skipReasons = [
  'opted_out',
  'no_opt_in',
  'recently_messaged',
  'blocked',
  'deleted',
  'window_closed',
  'template_not_approved',
  'value_too_long',
  'offer_ended',
  'template_changed',
  'conversation_taken',
] as const
export type SkipReason = (typeof skipReasons)[number]
