import { numberSteps } from '@parley/contracts/channel/numbers'
import { stopsMore } from '../../../whatsapp/error-classes.ts'
import { errorCodes, isTokenCode } from '../../../whatsapp/error-codes.ts'
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
  stopped !== undefined && isTokenCode(stopped.code)

/**
 * Returns the stop of a number after checks: a refused token and a number that cannot be reached stop it, and end as reasons of a
 * stop once they are good.
 */
export function stoppedAfter({ stopped }: Pick<NumberRecord, 'stopped'>, found: Findings): NumberRecord['stopped'] {
  const { tokenRefused, noAccess, tokenEndsAt, atWhatsApp } = found
  if (tokenRefused !== undefined)
    return stoppedWith(tokenRefused, 'WhatsApp no longer accepts the access token.', stopped)
  if (noAccess) {
    const reason = 'WhatsApp does not know the number, or does not let the access token use it.'
    return stoppedWith(errorCodes.noAccess, reason, stopped)
  }
  const isOver = isTokenStop(stopped)
    ? tokenEndsAt !== undefined
    : stopped?.code === errorCodes.noAccess && atWhatsApp !== undefined
  return isOver ? undefined : stopped
}

const stoppedWith = (code: number, reason: string, before: NumberRecord['stopped']): NumberRecord['stopped'] =>
  stopsMore(code, before) ? { code, reason, at: new Date() } : before
