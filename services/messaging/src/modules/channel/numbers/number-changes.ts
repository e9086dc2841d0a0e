import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { NumberFacts } from './numbers.model.ts'

export type Became = NonNullable<Extract<RecordedEvent, { type: 'number.changed' }>['data']['became']>

/** Returns what WhatsApp newly reports of a number; `undefined` where nothing has changed. */
export function becameOf(before: NumberFacts, after: NumberFacts): Became | undefined {
  const became: Became = {
    ...(before.quality !== after.quality && { quality: { before: before.quality, after: after.quality } }),
    ...(before.nameStatus !== after.nameStatus && {
      nameStatus: { before: before.nameStatus, after: after.nameStatus },
    }),
    ...(before.messagingLimit !== after.messagingLimit && {
      messagingLimit: { before: before.messagingLimit, after: after.messagingLimit },
    }),
  }
  return Object.keys(became).length > 0 ? became : undefined
}
