import { type NumberCheck, numberSteps, type WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { business, dayMs, facts, hourMs } from './facts.ts'
import { shares } from './shares.ts'

/** The check list of a number that is connected, or of one whose PIN is still to be entered. */
function checksOf(connected: boolean, at: string): NumberCheck[] {
  return numberSteps.map((step) => {
    if (connected || step !== 'registration') return { step, state: 'passed', message: 'This step has passed.', at }
    const message = 'The number is not registered for the Cloud API.'
    return { step, state: 'failed', message, advice: 'Enter the number’s two-step verification PIN.', at }
  })
}

/** The number that conversations and campaigns of the story use. */
export const mainNumberId = 'number-1'

/** Three numbers; their messages of this month add up to the messages sent. */
export function createNumbers(now: Date): Map<string, WhatsAppNumber> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const [sales = 0, support = 0] = shares(facts.messagesSent, [74, 26])
  const number = (
    ordinal: number,
    over: Pick<
      WhatsAppNumber,
      'displayName' | 'phoneNumber' | 'status' | 'verificationStatus' | 'quality' | 'messagesThisMonth'
    >,
  ): WhatsAppNumber => ({
    id: `number-${ordinal}`,
    createdAt: before((400 - ordinal * 60) * dayMs),
    updatedAt: before(ordinal * dayMs),
    version: 1,
    phoneNumberId: `10964587${String(2_310_000 + ordinal * 41)}`,
    businessAccountId: '102290129340398',
    messagingLimit: over.status === 'active' ? 10_000 : 250,
    throughputPerSecond: 80,
    accessToken: { set: true, last4: `x${ordinal}Qd`, updatedAt: before(90 * dayMs) },
    webhook: {
      verified: over.status === 'active',
      lastEventAt: over.status === 'active' ? before(ordinal * hourMs) : null,
    },
    accessTokenExpiresAt: null,
    isDefault: ordinal === 1,
    nameStatus: over.status === 'active' ? 'approved' : 'pending',
    stopped: null,
    checks: checksOf(over.status === 'active', before(ordinal * hourMs)),
    lastError: null,
    history: null,
    unknownFields: [],
    simulated: false,
    phonePageUrl: null,
    ...over,
  })
  const numbers = [
    number(1, {
      displayName: business.name,
      phoneNumber: '+919820012345',
      status: 'active',
      verificationStatus: 'verified',
      quality: 'high',
      messagesThisMonth: sales,
    }),
    number(2, {
      displayName: `${business.name} Support`,
      phoneNumber: '+919820054321',
      status: 'active',
      verificationStatus: 'verified',
      quality: 'medium',
      messagesThisMonth: support,
    }),
    number(3, {
      displayName: `${business.name} Wholesale`,
      phoneNumber: '+919820067890',
      status: 'pending',
      verificationStatus: 'pending',
      quality: 'unknown',
      messagesThisMonth: 0,
    }),
  ]
  return new Map(numbers.map((entry) => [entry.id, entry]))
}
