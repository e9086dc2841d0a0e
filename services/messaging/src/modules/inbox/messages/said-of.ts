import type { Said } from '@parley/contracts/platform/event-snapshots'
import { ratingIn } from '../ratings/rating-choice.ts'
import type { MessageRecord } from './messages.model.ts'

type Content = MessageRecord['content']

const maxSaid = 300

/** Returns what a customer has written in a message: its text or caption, or the title of what they tapped. */
export function writtenText(content: Content): string {
  const text = content['text'] ?? content['caption']
  return typeof text === 'string' ? text : ''
}

/** Returns a message of the customer as automations read it; `undefined` for what the platform reports in their name, and for ratings. */
export function saidOf(content: Content): Said | undefined {
  if (content.type === 'system' || content.type === 'reaction' || ratingIn(content)) return undefined
  const text = writtenText(content)
  const { chosen } = content
  return {
    type: content.type.slice(0, 40),
    text: text.slice(0, maxSaid),
    ...(text.length > maxSaid && { cut: true }),
    ...(typeof chosen === 'string' && { choice: chosen.slice(0, 256) }),
  }
}
