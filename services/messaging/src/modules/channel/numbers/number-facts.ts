import { isDeepStrictEqual } from 'node:util'
import { stoppedBy } from '../../../whatsapp/error-classes.ts'
import type { NumberAtWhatsApp } from '../../../whatsapp/number-calls.ts'
import type { NumberFacts, NumberRecord } from './numbers.model.ts'

const qualities: Readonly<Record<string, NumberFacts['quality']>> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }
const nameStatuses: Readonly<Record<string, NumberFacts['nameStatus']>> = {
  APPROVED: 'approved',
  AVAILABLE_WITHOUT_REVIEW: 'approved',
  PENDING_REVIEW: 'pending',
  DECLINED: 'declined',
  EXPIRED: 'declined',
}
const throughputs: Readonly<Record<string, number>> = { STANDARD: 80, HIGH: 1000 }
/** Throughput of a number that is also in the WhatsApp Business app, whatever its level is. */
const onAppThroughput = 20
const lowestLimit = 250
const usualThroughput = 80

/** Facts of a number that WhatsApp was not asked about yet. */
export const unknownFacts: NumberFacts = {
  quality: 'unknown',
  nameStatus: 'unknown',
  verificationStatus: 'pending',
  messagingLimit: lowestLimit,
  throughputPerSecond: usualThroughput,
}

/** Converts WhatsApp's fields of a number to ours; missing ones stay as they were. */
export function factsOf(atWhatsApp: NumberAtWhatsApp, before: NumberFacts = unknownFacts): NumberFacts {
  const { quality_rating: quality = '', name_status: name = '', throughput } = atWhatsApp
  return {
    quality: qualities[quality] ?? 'unknown',
    nameStatus: nameStatuses[name] ?? 'unknown',
    verificationStatus: atWhatsApp.code_verification_status === 'VERIFIED' ? 'verified' : 'pending',
    messagingLimit: limitOf(atWhatsApp.whatsapp_business_manager_messaging_limit, before.messagingLimit),
    throughputPerSecond: atWhatsApp.is_on_biz_app
      ? onAppThroughput
      : (throughputs[throughput?.level ?? ''] ?? before.throughputPerSecond),
  }
}

/** Returns whether WhatsApp reports the same facts for both, whatever else they hold. */
export const hasSameFacts = (number: NumberFacts, other: NumberFacts): boolean =>
  isDeepStrictEqual(factsAlone(number), factsAlone(other))

const factsAlone = (number: NumberFacts): NumberFacts => {
  const { quality, nameStatus, verificationStatus, messagingLimit, throughputPerSecond } = number
  return { quality, nameStatus, verificationStatus, messagingLimit, throughputPerSecond }
}

/** `TIER_2K` is 2,000 customers a day; no tier is as before. */
function limitOf(tier: string | undefined, before: number | null): number | null {
  if (tier === 'TIER_UNLIMITED') return null
  const [, count, thousands] = /^TIER_(\d+)(K?)$/.exec(tier ?? '') ?? []
  return count === undefined ? before : Number(count) * (thousands ? 1000 : 1)
}

/**
 * Returns the portfolio that a number's limit counts in; undefined where it has none. WhatsApp counts in portfolios, of which
 * only the account is known: numbers of one account always share one.
 */
export const portfolioOf = ({
  businessAccountId: portfolioId,
  messagingLimit: limit,
}: Pick<NumberRecord, 'businessAccountId' | 'messagingLimit'>) => (limit == null ? undefined : { portfolioId, limit })

const gone = new Set(['DISCONNECTED', 'BANNED', 'DELETED', 'MIGRATED'])

/** Returns whether WhatsApp accepts messages for the number. */
export const isRegistered = ({ platform_type: platform, status }: NumberAtWhatsApp): boolean =>
  platform === 'CLOUD_API' && !gone.has(status ?? '')

/** The word of the list: pending until everything is proven, disconnected while nothing at all can leave. */
export function statusOf({ checks, stopped }: Pick<NumberRecord, 'checks' | 'stopped'>): NumberRecord['status'] {
  if (stopped && stoppedBy(stopped) === 'all') return 'disconnected'
  return checks.length > 0 && checks.every(({ state }) => state === 'passed') ? 'active' : 'pending'
}
