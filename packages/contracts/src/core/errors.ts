import { z } from 'zod'

/**
 * Every error code that any Parley process answers with, and its HTTP status. Codes are part of the API: they are never
 * renamed, and a client may switch on them. Messages are for people and may change.
 */
export const errorStatus = {
  bad_request: 400,
  malformed_json: 400,
  validation_failed: 400,
  invalid_redirect: 400,
  invalid_api_key: 400,
  unauthorized_domain: 400,
  invalid_logout_token: 400,
  email_invalid: 400,
  schedule_past: 400,
  webhook_target_refused: 400,
  password_too_short: 400,
  password_too_common: 400,
  password_refused: 400,
  password_wrong: 400,
  unauthenticated: 401,
  session_expired: 401,
  token_rejected: 401,
  quota_reached: 402,
  csrf_rejected: 403,
  forbidden: 403,
  email_not_verified: 403,
  confirmation_required: 403,
  not_found: 404,
  account_not_found: 404,
  method_not_allowed: 405,
  account_exists: 409,
  attribute_exists: 409,
  already_verified: 409,
  contact_exists: 409,
  number_exists: 409,
  reply_exists: 409,
  segment_exists: 409,
  view_exists: 409,
  template_exists: 409,
  template_in_use: 409,
  edit_limit: 409,
  template_limit: 409,
  warnings_open: 409,
  too_many_attributes: 409,
  too_many_segments: 409,
  too_many_views: 409,
  storage_full: 409,
  webhook_exists: 409,
  wrong_state: 409,
  pause_reason_holds: 409,
  quota_exceeded: 409,
  preflight_stale: 409,
  audience_empty: 409,
  too_early: 409,
  recipients_removed: 409,
  stale_version: 409,
  request_in_progress: 409,
  window_closed: 409,
  template_not_approved: 409,
  invalid_flow: 409,
  session_changed: 409,
  tag_in_use: 409,
  not_published: 409,
  keyword_taken: 409,
  conversation_taken: 409,
  limit_reached: 409,
  in_use: 409,
  sign_up_failed: 409,
  workspace_changed: 409,
  workspace_closing: 409,
  last_owner: 409,
  plan_limit: 409,
  member_exists: 409,
  invitation_exists: 409,
  invitation_other_address: 409,
  invitation_ended: 410,
  cursor_expired: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  search_too_long: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  upstream_failed: 502,
  session_store_unavailable: 503,
  identity_provider_unavailable: 503,
  mail_unavailable: 503,
  service_unavailable: 503,
  writes_unavailable: 503,
  upstream_timeout: 504,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The body of every error answer of every process (`POST /auth/token` alone speaks RFC 6749 instead). */
export const errorBodySchema = z.object({
  /** One of {@link errorStatus}; kept a string so that an older client can read a newer server. */
  code: z.string(),
  /** One or two sentences that a person can act on. */
  message: z.string(),
  /** The id under which the logs of every process know this request. */
  requestId: z.string(),
  /** Validation only: field name → what is wrong with it. */
  fields: z.record(z.string(), z.string()).optional(),
  /** `stale_version` only: the record as it is now, in the shape that its endpoint answers with. */
  current: z.unknown().optional(),
  /** `contact_exists`: the contact that has the phone number already. `template_exists`: a deleted template that can be restored.
   * `keyword_taken`, `in_use`: the bot that is in the way. */
  existing: z.object({ id: z.string().max(64), name: z.string().max(512) }).optional(),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
