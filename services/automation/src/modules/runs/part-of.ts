import type { Said } from '@parley/contracts/platform/event-snapshots'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { MessagePart } from '@parley/flow/inputs'

/** Returns a message of a customer as flows read it. */
export const partOf = ({ type, text, place, answers }: Said): MessagePart => ({
  contentType: type,
  text,
  ...(place && { place }),
  ...(answers && { answers }),
})

/** Returns an event with the whole text of its message. @param texts those of messages that are cut in their events. */
export function wholeEvent(event: RecordedEvent, texts: ReadonlyMap<string, string>): RecordedEvent {
  if (event.type !== 'message.changed' || !event.data.said?.cut) return event
  const { said, messageId } = event.data
  return { ...event, data: { ...event.data, said: { ...said, text: texts.get(messageId) ?? said.text } } }
}

/**
 * A message as one run hears it: answers of a form that another run, or a campaign, has sent are none to this one.
 * @param names the question that the message names as its own, whoever has asked it
 * @param choice the same where this run has asked
 */
export function heardPart(
  part: MessagePart,
  { names, choice }: { readonly names: string | undefined; readonly choice: object | undefined },
): MessagePart {
  if (names === undefined || choice) return part
  const { answers: _, ...said } = part
  return said
}
