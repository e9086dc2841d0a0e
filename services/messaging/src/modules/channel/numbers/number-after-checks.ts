import { numberSteps } from '@parley/contracts/channel/numbers'
import { stopsMore } from '../../../whatsapp/error-classes.ts'
import { type Findings, waiting } from './number-checks.ts'
import { factsOf, hasSameFacts, statusOf } from './number-facts.ts'
import type { CheckRecord, NumberRecord } from './numbers.model.ts'
import type { NumberChange } from './numbers.repository.ts'

/** Returns what checks change of a number, by the number as it was `asked` and as it is. */
export function changeAfter(
  record: NumberRecord,
  asked: NumberRecord,
  { checks, found }: { checks: readonly CheckRecord[]; found: Findings },
  { byPerson = false }: { byPerson?: boolean },
): NumberChange {
  const merged = numberSteps.map(
    (step) =>
      checks.find((check) => check.step === step) ??
      record.checks.find((check) => check.step === step) ??
      waiting(step),
  )
  const mended = byPerson && checks.every(({ state }) => state === 'passed')
  const stopped = mended ? undefined : stoppedAfter(record, found)
  return {
    $set: {
      // A change announced meanwhile may be newer than the answer; WhatsApp is then asked again.
      ...(found.atWhatsApp && hasSameFacts(asked, record) && factsOf(found.atWhatsApp, record)),
      ...(found.tokenEndsAt && { tokenExpiresAt: found.tokenEndsAt }),
      checks: merged,
      status: statusOf({ checks: merged, stopped }),
      ...(stopped && { stopped }),
    },
    $unset: { ...(!stopped && { stopped: '' }), ...(found.tokenEndsAt === null && { tokenExpiresAt: '' }) },
  }
}

/** Returns whether a refused access token is why nothing leaves. */
export const isTokenStop = (stopped: NumberRecord['stopped']): boolean =>
  stopped !== undefined && [0, 190].includes(stopped.code)

/** A refused token stops the number; one that is good ends a stop that a token was the reason of. */
function stoppedAfter({ stopped }: NumberRecord, { tokenRefused, tokenEndsAt }: Findings): NumberRecord['stopped'] {
  if (tokenRefused !== undefined) {
    const reason = 'WhatsApp no longer accepts the access token.'
    return stopsMore(tokenRefused, stopped) ? { code: tokenRefused, reason, at: new Date() } : stopped
  }
  return tokenEndsAt !== undefined && isTokenStop(stopped) ? undefined : stopped
}
