const prefix = 'whsec_'
const minBytes = 24
const maxBytes = 64

/**
 * Reads a secret of Standard Webhooks: `whsec_` and base64, or any other text, whose UTF-8 bytes are the key.
 * @returns the key's bytes, 24 to 64; or what is wrong with the text, for a person.
 */
export function readSigningKey(text: string): Uint8Array | string {
  // Half of a character would become the same three bytes as any other half.
  if (!text.isWellFormed()) return 'The secret has a character that is not complete'
  const bytes = text.startsWith(prefix) ? decode(text.slice(prefix.length)) : new TextEncoder().encode(text)
  if (!bytes) return 'After whsec_ only base64 can follow'
  if (bytes.length < minBytes) return `The secret must have at least ${minBytes} bytes`
  if (bytes.length > maxBytes) return `The secret must have at most ${maxBytes} bytes`
  return bytes
}

/** The only form in which keys are shown: receivers and their libraries read it alike. */
export const showSigningKey = (key: Uint8Array): string => `${prefix}${btoa(String.fromCharCode(...key))}`

/** A key that cannot be guessed. */
export const newSigningKey = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32))

function decode(base64: string): Uint8Array | undefined {
  // Spaces and the letters of URLs are refused by the receivers' library, and padding must be right.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
