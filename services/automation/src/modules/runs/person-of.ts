import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Person } from '@parley/flow/state'

/** Converts a contact to the form that flows see. */
export const personOf = ({ name, phone, username, tags, attributes }: Contact): Person => ({
  name,
  ...(phone !== undefined && { phone }),
  ...(username !== undefined && { username }),
  tags,
  attributes,
})
