import { createHash } from 'node:crypto'
import { phoneSchema } from '@parley/contracts/core/records'
import { pointersOf, takeValues } from '@parley/flow/fill-call'
import type { SettingsOf } from '@parley/flow/program'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'

/** Levels of a body at most. */
const maxDepth = 20
const maxFields = 30

/** Call as it was read. */
export interface ReadCall {
  /** The contact: a phone number, or an id. */
  readonly who: { readonly phone: string } | { readonly id: string }
  readonly name: string
  /** Values that the trigger keeps, by their JSON pointer. */
  readonly values: Readonly<Record<string, string>>
  /** SHA-256 of what names its intent. */
  readonly key: string
}

/**
 * Reads the JSON body of a call. @throws `malformed_json`, `validation_failed` with the pointer of each field that is missing or wrong.
 */
export function readCall(
  body: Buffer,
  { contact, keyPointer, ...settings }: SettingsOf<'hook'>,
  idempotencyKey: string | undefined,
): ReadCall {
  const json = parsed(body)
  const { by, pointer, namePointer } = contact
  const pointers = [pointer, namePointer, keyPointer].filter((one) => one !== undefined)
  const taken = takeValues([...pointers, ...pointersOf({ contact, ...settings })], json) ?? {}
  const fields: Record<string, string> = {}
  const asked = taken[pointer]?.trim() ?? ''
  const named = by === 'phone' ? phoneIn(asked) : isId(asked) ? asked : undefined
  if (named === undefined)
    fields[pointer] =
      asked === ''
        ? `The body has no text at ${pointer}: ${by === 'phone' ? 'the phone number' : 'the id'} of the contact is expected there.`
        : by === 'phone'
          ? `At ${pointer} there is no phone number with its country code, as in +919876543210.`
          : `At ${pointer} there is no id of a contact.`
  const keyText = idempotencyKey ?? (keyPointer === undefined ? undefined : taken[keyPointer])
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    fields['Idempotency-Key'] = 'Send 1 to 255 printable characters as Idempotency-Key.'
  if (idempotencyKey === undefined && keyPointer !== undefined && (keyText ?? '').trim() === '')
    fields[keyPointer] = `The body has no text at ${keyPointer}, by which a repeated call is known.`
  if (named === undefined || Object.keys(fields).length > 0) throw errors.validation(fields)
  return {
    who: by === 'phone' ? { phone: named } : { id: named },
    name: namePointer === undefined ? '' : (taken[namePointer] ?? '').slice(0, 120),
    values: taken,
    key: hashOf(keyText === undefined ? body : `key ${keyText}`),
  }
}

export const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url')

/** Reads a phone number as other systems write it: digits with spaces and signs between them, with or without `+`. */
function phoneIn(text: string): string | undefined {
  const digits = text.replaceAll(/[\s().-]/g, '').replace(/^00/, '+')
  return phoneSchema.safeParse(digits.startsWith('+') ? digits : `+${digits}`).data
}

/** @returns the text of a body that is a JSON object, or a list, of bounded depth. */
function parsed(body: Buffer): string {
  const text = body.toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw errors.malformedJson()
  }
  if (typeof json !== 'object' || json === null) throw errors.validation({ body: 'Send a JSON object.' })
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw errors.validation({ body: `Send JSON of at most ${maxDepth} levels.` })
    level = level.flatMap((value) => Object.values(value as object).filter(isNested))
  }
  return text
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Describes the fields of a body for who connects another system: their pointers and the kinds of their values, never the values.
 * Names that look like somebody's number or address are left out, since they may be one.
 */
export function fieldsOf(body: Buffer): string[] {
  const found: string[] = []
  let level: [string, unknown][]
  try {
    level = [['', JSON.parse(body.toString('utf8'))]]
  } catch {
    return []
  }
  for (let depth = 0; depth < 6 && level.length > 0; depth += 1) {
    const next: [string, unknown][] = []
    for (const [pointer, value] of level) {
      if (isNested(value))
        for (const [name, inner] of Object.entries(value).slice(0, maxFields))
          if (!/\d{6}|@/.test(name) && pointer.length + name.length < 100)
            next.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner])
      if (!isNested(value) && pointer !== '') found.push(`${pointer} ${kindOf(value)}`)
    }
    level = next
  }
  return found.slice(0, maxFields)
}

const kindOf = (value: unknown): string =>
  value === null ? 'empty' : ({ string: 'text', number: 'number', boolean: 'yes or no' }[typeof value as string] ?? '')
