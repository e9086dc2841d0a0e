import type { TemplateSyncRun } from '@parley/contracts/templates/template-endpoints'
import { classifyRefusal } from '../../whatsapp/error-classes.ts'
import type { GraphCallFailed } from '../../whatsapp/graph-answer.ts'

/** Subcode of an account that is not there, or not for this token. */
const noAccess = 33

type SyncError = NonNullable<TemplateSyncRun['error']>

/** Why a comparison did not come to its end, for a program and in WhatsApp's own words. */
export function syncErrorOf({ refusal, message }: GraphCallFailed): SyncError {
  return { code: codeOf(refusal), message: message.slice(0, 500) }
}

function codeOf(refusal: GraphCallFailed['refusal']): SyncError['code'] {
  if (!refusal) return 'unreachable'
  const known = classifyRefusal(refusal)
  if (refusal.retryAfterSeconds !== undefined || known.class === 'slow_number') return 'rate_limited'
  if (known.class === 'retry') return 'unreachable'
  return known.class === 'stop_number' || refusal.subcode === noAccess ? 'access_refused' : 'refused'
}
