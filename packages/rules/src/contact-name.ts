/** Stands for the name of somebody of whom WhatsApp tells nothing but an id. */
export const placeholderName = 'Customer'

interface Named {
  readonly name: string
  readonly username?: string | undefined
}

/**
 * Whether a contact carries a name that somebody has given to it, and not what stands for one: a phone number or whatever else has no
 * letter, the username, or {@link placeholderName}.
 */
export const isNamed = ({ name, username }: Named): boolean =>
  /\p{L}/u.test(name) && name !== placeholderName && name.replace(/^@/, '') !== username
