import type { SkipReason } from '@parley/contracts/campaigns/skip-reasons'
import type { Template } from '@parley/contracts/templates/templates'
import { isStopped, stoppedBy } from '../../../whatsapp/error-classes.ts'
import { isWindowOpen } from '../../inbox/messages/service-window.ts'

/** Consent of a contact for one category of messages. */
export type ConsentValue = 'unknown' | 'in' | 'out'

/** A message that is about to leave. */
export interface Send {
  /** Cause of the message: on whose behalf it is sent. */
  readonly cause: string
  readonly isTemplate: boolean
  /** Epoch of the conversation under which an automation has sent it; absent for anything else. */
  readonly epoch?: number | undefined
  /** True where it is longer with its values than WhatsApp allows. */
  readonly isTooLong?: boolean | undefined
  /** End of the offer that it makes. */
  readonly offerEndsAt?: Date | undefined
  /** Names the text of its template as it is shown here. */
  readonly textKey?: string | undefined
  /** Excludes, for marketing, recipients who have had some since then; absent for anything that does not ask for that. */
  readonly recentSince?: Date | undefined
}

/** All facts that decide whether it may leave, as they are now. */
export interface SendFacts {
  readonly now: Date
  /** Absent where it is gone for good. */
  readonly contact:
    | {
        readonly isBlocked: boolean
        readonly isDeleted: boolean
        readonly marketing: ConsentValue
        readonly utility: ConsentValue
        /** Time at which WhatsApp last accepted marketing to them. */
        readonly lastMarketingAt?: Date | undefined
      }
    | undefined
  readonly windowExpiresAt: Date | undefined
  /** Epoch of the conversation when a person last took part. */
  readonly personEpoch?: number | undefined
  /** Set for a template message; absent where the template is removed. */
  readonly template: (Pick<Template, 'status' | 'category'> & { readonly textKey?: string | undefined }) | undefined
  /** Error code: what it names does not leave from the number until a member has acted. */
  readonly stopped: { readonly code: number } | undefined
  /** Marketing goes only to people who have agreed to it. */
  readonly needsOptIn: boolean
}

export type Admission =
  | { readonly kind: 'allow' }
  /** Never lets it leave, unless a person sends it again. */
  | { readonly kind: 'skip'; readonly reason: SkipReason }
  /** Tries it again later. `passable`: other messages to the customer may leave meanwhile. */
  | { readonly kind: 'wait'; readonly until: Date; readonly reason: 'number_stopped'; readonly passable: boolean }
  /** Holds it until the run of its campaign releases it. */
  | { readonly kind: 'hold'; readonly reason: SkipReason }

/** Interval of checking whether a number takes templates, or marketing, again. */
const stopPauseMs = 60_000

/**
 * Decides whether a message may leave. The one place where consent is decided, for members, campaigns, bots, workflows and the
 * API alike: permanent refusals are reported before waits.
 */
export function admitSend(send: Send, facts: SendFacts): Admission {
  const reason = refusal(send, facts)
  const isOfTemplate = reason === 'template_not_approved' || reason === 'template_changed'
  if (isOfTemplate && send.cause === 'campaign') return { kind: 'hold', reason }
  if (reason) return { kind: 'skip', reason }
  const { stopped, template, now } = facts
  if (!stopped || !isStopped(stopped, { isTemplate: send.isTemplate, category: template?.category }))
    return { kind: 'allow' }
  // Messages of a number that is stopped as a whole are not checked.
  const passable = stoppedBy(stopped) !== 'all'
  return {
    kind: 'wait',
    until: new Date(now.getTime() + (passable ? stopPauseMs : 0)),
    reason: 'number_stopped',
    passable,
  }
}

function refusal(send: Send, facts: SendFacts): SkipReason | undefined {
  const { isTemplate, isTooLong, offerEndsAt, textKey, recentSince, epoch } = send
  const { contact, windowExpiresAt, template, now, personEpoch = 0 } = facts
  if (!contact || contact.isDeleted) return 'deleted'
  if (contact.isBlocked) return 'blocked'
  if (epoch !== undefined && epoch < personEpoch) return 'conversation_taken'
  // An answer to the person needs no consent.
  if (!isTemplate) return isWindowOpen(windowExpiresAt, now) ? undefined : 'window_closed'
  if (!template) return 'template_not_approved'
  const { category, status } = template
  const isOtherText = textKey !== undefined && template.textKey !== undefined && textKey !== template.textKey
  return (
    consentRefusal(category, contact, facts.needsOptIn) ??
    recentRefusal(category, contact, recentSince) ??
    (isTooLong ? 'value_too_long' : undefined) ??
    (offerEndsAt && offerEndsAt <= now ? 'offer_ended' : undefined) ??
    (status !== 'approved' ? 'template_not_approved' : isOtherText ? 'template_changed' : undefined)
  )
}

/** Returns the refusal where a contact's consent keeps templates of a category from them; login codes need no consent. */
export function consentRefusal(
  category: Template['category'],
  consent: Readonly<Record<'marketing' | 'utility', ConsentValue>>,
  needsOptIn: boolean,
): 'opted_out' | 'no_opt_in' | undefined {
  if (category === 'marketing' && consent.marketing === 'unknown' && needsOptIn) return 'no_opt_in'
  const isOut = (category === 'marketing' || category === 'utility') && consent[category] === 'out'
  return isOut ? 'opted_out' : undefined
}

/** Returns the refusal where marketing that a contact has had keeps more of it from them. @param since absent: it does not. */
export const recentRefusal = (
  category: Template['category'],
  { lastMarketingAt }: { readonly lastMarketingAt?: Date | undefined },
  since: Date | undefined,
): 'recently_messaged' | undefined =>
  category === 'marketing' && since && lastMarketingAt && lastMarketingAt >= since ? 'recently_messaged' : undefined
