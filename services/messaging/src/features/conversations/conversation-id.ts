import { createHash } from 'node:crypto'

/**
 * The id that the conversation of a number with a contact gets: a campaign begins none, and what it has sent is found in the
 * thread once the customer answers.
 */
export const conversationIdOf = ({
  numberId,
  contactId,
}: {
  readonly numberId: string
  readonly contactId: string
}): string => createHash('sha256').update(`${numberId}/${contactId}`).digest('hex').slice(0, 24)
