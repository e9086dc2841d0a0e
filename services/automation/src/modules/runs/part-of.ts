import type { Said } from '@parley/contracts/platform/event-snapshots'
import type { MessagePart } from '@parley/flow/state'

/** What a customer has said, as flows read it. */
export const partOf = ({ type, place, answers }: Said, text: string): MessagePart => ({
  contentType: type,
  text,
  ...(place && { place }),
  ...(answers && { answers }),
})
