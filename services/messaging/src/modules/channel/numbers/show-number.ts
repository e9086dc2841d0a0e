import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { classifyError, stoppedBy } from '../../../whatsapp/error-classes.ts'
import type { NumberRecord } from './numbers.model.ts'

/** Data of a number besides its record. */
export interface Surroundings {
  readonly messagesThisMonth: number
  readonly lastEventAt: Date | undefined
}

const iso = (date: Date | undefined): string | null => date?.toISOString() ?? null

/** A number as the page shows it: its secrets are not in it. */
export function showNumber(record: NumberRecord, { messagesThisMonth, lastEventAt }: Surroundings): WhatsAppNumber {
  const proven = record.checks.some(({ step, state }) => step === 'webhook' && state === 'passed')
  const { id, version, displayName, phoneNumber, phoneNumberId, businessAccountId, status, stopped } = record
  const { verificationStatus, quality, messagingLimit, throughputPerSecond, isDefault, nameStatus, simulated } = record
  return {
    id,
    version,
    displayName,
    phoneNumber,
    phoneNumberId,
    businessAccountId,
    status,
    verificationStatus,
    quality,
    messagingLimit,
    throughputPerSecond,
    isDefault,
    nameStatus,
    simulated,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    messagesThisMonth,
    accessToken: { set: true, last4: record.tokenLast4, updatedAt: iso(record.tokenSetAt) },
    accessTokenExpiresAt: iso(record.tokenExpiresAt),
    webhook: { verified: proven, lastEventAt: iso(lastEventAt) },
    stopped: stopped
      ? {
          code: stopped.code,
          what: stoppedBy(stopped),
          reason: stopped.reason,
          advice: classifyError(stopped.code).advice,
          at: stopped.at.toISOString(),
        }
      : null,
    checks: record.checks.map(({ at, ...check }) => ({ ...check, at: at.toISOString() })),
    lastError: record.lastError ? { ...record.lastError, at: record.lastError.at.toISOString() } : null,
    history: record.history ? { ...record.history, at: record.history.at.toISOString() } : null,
    unknownFields: (record.unknownFields ?? []).map(({ field, count, lastAt }) => ({
      field,
      count,
      lastAt: lastAt.toISOString(),
    })),
    phonePageUrl: record.phonePageUrl ?? null,
  }
}
