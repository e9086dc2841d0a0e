import { offerEnd } from '@parley/contracts/templates/template-offers'
import type { Template } from '@parley/contracts/templates/templates'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type SendAccess, type SendOutcome, sendCall } from '../../../whatsapp/send-call.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { type Admission, admitSend } from './admit-send.ts'
import { createSendFacts } from './send-facts.ts'

/** Result of the gate for a message. */
export type Judged<T> =
  | {
      readonly kind: 'allow'
      readonly candidate: T
      /** Category of its template. */
      readonly category?: Template['category'] | undefined
      readonly send: (access: SendAccess, body: object) => Promise<SendOutcome>
    }
  | { readonly kind: 'stay'; readonly candidate: T; readonly admission: Exclude<Admission, { kind: 'allow' }> }

export type Gate = ReturnType<typeof createGate>

/**
 * The only way to WhatsApp: the call that sends is handed out with each message that may leave, and nowhere else. Messages are
 * judged after they were claimed, by what is stored at that moment.
 */
export function createGate(deps: Parameters<typeof createSendFacts>[0]) {
  const readFacts = createSendFacts(deps)
  return async <T extends { readonly message: MessageRecord }>(
    scope: WorkspaceScope,
    numberId: string,
    claimed: readonly T[],
  ): Promise<Judged<T>[]> => {
    if (claimed.length === 0) return []
    const factsOf = await readFacts(
      scope,
      numberId,
      claimed.map(({ message }) => message),
    )
    return claimed.map((candidate): Judged<T> => {
      const { message } = candidate
      const { cause, content, dispatch, epoch } = message
      const send = {
        cause: cause.kind,
        isTemplate: content.type === 'template',
        epoch,
        isTooLong: content['tooLong'] === true,
        offerEndsAt: offerEndOf(content['offer']),
        textKey: typeof content['textKey'] === 'string' ? content['textKey'] : undefined,
        recentSince: dispatch?.recentSince,
      }
      const facts = factsOf(message)
      const admission = admitSend(send, facts)
      if (admission.kind !== 'allow') return { kind: 'stay', candidate, admission }
      return { kind: 'allow', candidate, category: facts.template?.category, send: sendCall }
    })
  }
}

/** Returns the end of the offer that a message makes. */
function offerEndOf(offer: unknown): Date | undefined {
  const isOffer = typeof offer === 'object' && offer !== null && 'endsAt' in offer
  return isOffer && typeof offer.endsAt === 'string' ? offerEnd(offer.endsAt) : undefined
}
