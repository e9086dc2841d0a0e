/** Values for `{{name}}` in a text: the contact's own fields and the attributes that the flow has set. */
export type Values = Readonly<Record<string, string>>

const placeholder = /\{\{\s*([\w.-]{1,64})\s*\}\}/g

/** Length to which a filled text is cut: the longest message that the platform takes. */
export const maxTextLength = 4096

interface HowToFill {
  /** Encodes a value for its place: an address or JSON. Unchanged if absent. */
  encode?: (value: string) => string
  maxLength?: number
}

/** Puts values in the place of `{{name}}`; a name without a value leaves nothing. */
export function fillVariables(
  text: string,
  values: Values,
  { encode, maxLength = maxTextLength }: HowToFill = {},
): string {
  const filled = text.replace(placeholder, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
    return encode ? encode(value) : value
  })
  return filled.slice(0, maxLength)
}

/** A value between the quotation marks of a JSON text. */
export const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)

/** A value in the path or query of an address. A lone surrogate has no place in one. */
export const inAddress = (value: string): string => encodeURIComponent(value.toWellFormed())
