import { createHash } from 'node:crypto'

/**
 * The id that the conversation of a number with a contact gets: a campaign begins none, and what it has sent is found in the
 * thread once the customer answers. Like every id it begins with a time, here the contact's, and those that one process has
 * made for a number follow each other: lists whose times are whole seconds are in their order.
 */
export function conversationIdOf({ numberId, contactId }: { readonly numberId: string; readonly contactId: string }) {
  const [second, machine, count] = [contactId.slice(0, 8), contactId.slice(8, 18), contactId.slice(18)]
  const pair = createHash('sha256').update(`${numberId}/${machine}`).digest('hex').slice(0, 10)
  return `${second}${pair}${count}`
}
