import { formAnswersSchema } from '@parley/contracts/inbox/messages'
import { type Said, saidSchema } from '@parley/contracts/platform/event-snapshots'
import { ratingIn } from '../ratings/rating-choice.ts'
import type { MessageRecord } from './messages.model.ts'

type Content = MessageRecord['content']

const maxSaid = 300
const placeSchema = saidSchema.shape.place.unwrap()

/** Returns what a customer has written in a message: its text or caption, or the title of what they tapped. */
export function writtenText(content: Content): string {
  const text = content['text'] ?? content['caption']
  return typeof text === 'string' ? text : ''
}

/** Returns a message of the customer as automations read it; `undefined` for what the platform reports in their name, and for ratings. */
export function saidOf(content: Content): Said | undefined {
  if (content.type === 'system' || content.type === 'reaction' || ratingIn(content)) return undefined
  const text = writtenText(content)
  const { chosen, token, answers, latitude, longitude } = content
  const choice = chosen ?? token
  const place = placeSchema.safeParse({ latitude, longitude })
  const filledIn = formAnswersSchema.safeParse(answers)
  return {
    type: content.type.slice(0, 40),
    text: text.slice(0, maxSaid),
    ...(text.length > maxSaid && { cut: true }),
    ...(typeof choice === 'string' && { choice: choice.slice(0, 256) }),
    ...(place.success && { place: place.data }),
    ...(filledIn.success && { answers: filledIn.data }),
  }
}
