/** The two name fields of the profile form. */
export interface Names {
  readonly firstName: string
  readonly lastName: string
}

/** Maximum length of a name in the contract. */
const maxLength = 80

/**
 * Splits the display name of a sign-in for the setup form: the first word is
 * the first name, everything after it the last name. A name in mail order ("Rao, Asha") is turned round.
 */
export function splitDisplayName(displayName: string): Names {
  const [family, given, ...more] = displayName.split(',').map(words)
  if (family?.length && given?.length && more.length === 0) return names(given.join(' '), family.join(' '))
  const [first = '', ...rest] = words(displayName)
  return names(first, rest.join(' '))
}

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean)

const names = (firstName: string, lastName: string): Names => ({
  firstName: clip(firstName),
  lastName: clip(lastName),
})

/** Cuts between characters, never inside one that takes two code units. */
const clip = (text: string) => {
  let clipped = ''
  for (const character of text) {
    if (clipped.length + character.length > maxLength) break
    clipped += character
  }
  return clipped.trim()
}
