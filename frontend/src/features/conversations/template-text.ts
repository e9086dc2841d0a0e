const placeholder = /\{\{\s*([\w.-]{1,64})\s*\}\}/g

/** The placeholders of a template's text, named or numbered, each once, in the order in which they are read. */
export const placeholdersOf = (body: string): string[] => [
  ...new Set([...body.matchAll(placeholder)].map(([, name = '']) => name)),
]

/** The text with its values; a placeholder without one stays as it is written. */
export const filledTemplate = (body: string, values: Readonly<Record<string, string>>): string =>
  body.replaceAll(placeholder, (written, name: string) => values[name]?.trim() || written)
