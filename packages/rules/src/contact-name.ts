/** Placeholder for the name of a person of whom WhatsApp reports only an id. */
export const placeholderName = 'Customer'

interface Named {
  readonly name: string
  readonly username?: string | undefined
}

/**
 * Returns whether a contact has a name that it was given, and not a substitute: a phone number or other text without a letter,
 * the username, or {@link placeholderName}.
 */
export const isNamed = ({ name, username }: Named): boolean =>
  /\p{L}/u.test(name) && name !== placeholderName && name.replace(/^@/, '') !== username
