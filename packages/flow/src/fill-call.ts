import type { NodeSettings } from '@parley/contracts/automation/flow'
import type { HttpRequest } from './actions.ts'
import { maxValueLength } from './answers.ts'
import type { Values } from './fields.ts'
import type { SettingsOf } from './program.ts'
import { fillPath, fillVariables } from './variables.ts'

/** Maximum characters of a header, and of a text in a body, once they are filled. */
const maxFilled = 4096

/**
 * Fills a call with values. None of them becomes more than it is: a part of the path, one header, one text of the body.
 * @returns the code of the reason for which it cannot be made, in place of the call.
 */
export function fillCall(
  { connectionId, method, path, headers = [], body, timeoutSeconds, mappings = [] }: SettingsOf<'http_call'>,
  values: Values,
): HttpRequest | 'address_refused' | 'header_refused' | 'body_refused' {
  const filledPath = fillPath(path, values)
  if (filledPath === undefined) return 'address_refused'
  const filledHeaders = headers.map(({ name, value }) => ({ name, value: fillHeader(value, values) }))
  // A header is written in bytes: what has none there would end the call with an error that nobody understands.
  if (filledHeaders.some(({ value }) => /[^\t\x20-\x7e\x80-\xff]/.test(value))) return 'header_refused'
  const hasBody = method !== 'GET' && body !== undefined && body.trim() !== ''
  const filledBody = hasBody ? fillBody(body, values) : undefined
  if (hasBody && filledBody === undefined) return 'body_refused'
  return {
    connectionId,
    method,
    path: filledPath,
    ...(filledHeaders.length > 0 && { headers: filledHeaders }),
    ...(filledBody !== undefined && { body: filledBody }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(mappings.length > 0 && { pick: [...new Set(mappings.map(({ pointer }) => pointer))] }),
  }
}

/** A line break would begin another header. */
const fillHeader = (text: string, values: Values): string =>
  fillVariables(text, values, { maxLength: maxFilled })
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/** Fills the texts of a JSON body; what is no JSON is no body. */
function fillBody(body: string, values: Values): string | undefined {
  try {
    return JSON.stringify(filled(JSON.parse(body), values))
  } catch {
    return undefined
  }
}

function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillVariables(value, values, { maxLength: maxFilled })
  if (Array.isArray(value)) return value.map((one) => filled(one, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, values)]))
}

/** Code of an answer of which nothing can be taken. */
export const notJson = 'answer_not_json'

/**
 * Takes fields out of the JSON of an answer: texts, numbers and booleans, as texts of at most 1,000 characters. Only what the answer
 * itself holds is found, and nothing of what objects inherit.
 * @returns values by pointer, without those that are missing; `undefined` where the answer is no JSON.
 */
export function takeValues(pointers: readonly string[], answer: string): Record<string, string> | undefined {
  let json: unknown
  try {
    json = JSON.parse(answer)
  } catch {
    return undefined
  }
  const found = pointers.flatMap((pointer) => {
    const value = valueAt(json, pointer)
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return isPlain ? [[pointer, String(value).slice(0, maxValueLength)] as const] : []
  })
  return Object.fromEntries(found)
}

/** Follows a JSON Pointer (RFC 6901, section 4) through own entries. */
function valueAt(json: unknown, pointer: string): unknown {
  let value = json
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const isEntry = Array.isArray(value) ? /^(0|[1-9]\d*)$/.test(name) : typeof value === 'object' && value !== null
    if (!isEntry || !Object.hasOwn(value as object, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Returns the pointers of the values that a node keeps of an answer, or of a call to its address; none of another kind. */
export const pointersOf = (settings: NodeSettings | undefined): string[] =>
  settings?.kind === 'http_call' || settings?.kind === 'hook'
    ? (settings.mappings ?? []).map(({ pointer }) => pointer)
    : []
