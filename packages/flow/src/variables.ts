import { isNamed } from '@parley/rules/contact-name'
import { readField, type Values } from './fields.ts'

const placeholder = /\{\{([^{}|]{1,80})(?:\|([^{}]{0,200}))?\}\}/g

/** Length to which a filled text is cut: the longest message that the platform takes. */
export const maxTextLength = 4096

interface HowToFill {
  /** Encodes a value for its place: an address or JSON. Unchanged if absent. */
  encode?: (value: string) => string
  maxLength?: number
}

/** Replaces `{{name}}`, or `{{name|fallback}}` where there is no value; without either nothing is left. */
export function fillVariables(
  text: string,
  values: Values,
  { encode, maxLength = maxTextLength }: HowToFill = {},
): string {
  const filled = text.replace(placeholder, (_, name: string, fallback: string | undefined) => {
    const value = valueNamed(values, name.trim())
    const chosen = value.trim() === '' && fallback !== undefined ? fallback.trim() : value
    return encode ? encode(chosen) : chosen
  })
  return filled.slice(0, maxLength)
}

/** Returns the variables of a text, each with whether it has a fallback. */
export const variablesIn = (text: string): { readonly name: string; readonly hasFallback: boolean }[] =>
  [...text.matchAll(placeholder)].map(([, name = '', fallback]) => ({
    name: name.trim(),
    hasFallback: fallback !== undefined && fallback.trim() !== '',
  }))

/** Returns whether a text is one variable and nothing else. */
export const isOneVariable = (text: string): boolean =>
  text.replace(placeholder, '') === '' && variablesIn(text).length === 1

function valueNamed(values: Values, name: string): string {
  const { person } = values
  // "Hello +9198…" would be no greeting.
  const contactName = isNamed(person) ? person.name.trim() : ''
  if (name === 'name') return contactName
  if (name === 'first_name' || name === 'firstName') return contactName.split(/\s+/)[0] ?? ''
  const value = readField(values, name)
  return typeof value === 'string' ? value : ''
}

/** Encodes a value in the path or query of an address. A lone surrogate cannot be encoded in one. */
const inAddress = (value: string): string => encodeURIComponent(value.toWellFormed())

/**
 * Fills the path and query of an address: values are percent-encoded, so that none begins another segment, parameter or host.
 * @returns `undefined` where a value would climb to another folder.
 */
export function fillPath(path: string, values: Values): string | undefined {
  const filled = fillVariables(path, values, { encode: inAddress })
  return dotSegments(filled) > dotSegments(path) ? undefined : filled
}

/** Counts `.` and `..` in a path. */
const dotSegments = (path: string): number =>
  (path.split(/[?#]/)[0] ?? '').split(/[/\\]/).filter((segment) => /^(\.|%2e){1,2}$/i.test(segment)).length
