import type { MessageContent } from '@parley/contracts/inbox/messages'
import type { PublicSubject } from '@parley/contracts/platform/public-events-of'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { MessageRecord } from '../inbox/messages/messages.service.ts'
import { toMessage } from '../inbox/messages/to-message.ts'

type Step = Extract<PublicSubject, { kind: 'message' }>['step']

/**
 * A message as public events have it. Its status and time are those of the step that is told, its content and its error those of now.
 * @param step absent for a message of the customer.
 */
export function publicMessage(record: MessageRecord, step: Step) {
  const { id, conversationId, direction, content, cause, sentAt } = toMessage(record)
  const { waMessageId, error, pricing, dispatch } = record
  const known = step?.to === 'failed' && error ? classifyError(error.code) : undefined
  return {
    id,
    ...(waMessageId !== undefined && { waMessageId }),
    conversationId,
    direction,
    content: withoutAddress(content),
    cause,
    sentAt,
    ...(step && { status: step.to, statusAt: step.at, attempt: (dispatch?.generation ?? 0) + 1 }),
    ...(known &&
      error && {
        error: { code: error.code, title: known.title, class: known.class, nextStep: known.advice },
      }),
    ...(pricing && { pricing }),
  }
}

/** Files are read by their id: an address of the page is of no use to a key. */
function withoutAddress(content: MessageContent) {
  if (!('url' in content) || !('mimeType' in content)) return content
  const { url: _url, ...rest } = content
  return rest
}
