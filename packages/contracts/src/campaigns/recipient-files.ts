import { z } from 'zod'
import { recordKey } from '../core/records.ts'
import { placeholdersOf } from '../templates/placeholders.ts'

/** Characters of an address that browsers and servers take without fail. */
export const maxFileAddress = 2000
export const maxFileName = 240

const shared = {
  /** Contact's field by the name of a variable: `attributes.order`. A contact without a value gets nothing. */
  fields: z.record(recordKey, z.string().max(80)),
  /** Name that customers see for a document, with variables; absent: the last part of the address. */
  fileName: z.string().trim().max(maxFileName).optional(),
}

/** Address of the file above the text, of its own for each recipient: written with variables, or in a field of the contact. */
export const recipientFileSchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('address'), address: z.string().trim().max(maxFileAddress), ...shared }),
  z.object({ from: z.literal('field'), field: z.string().max(80), ...shared }),
])
export type RecipientFile = z.infer<typeof recipientFileSchema>

/** Kinds of headers that are files. */
export const isFileHeader = (kind: string | undefined): kind is 'image' | 'video' | 'document' =>
  kind === 'image' || kind === 'video' || kind === 'document'

/** Returns the variables that are filled from a contact. */
export const filePlaceholders = (file: RecipientFile): string[] =>
  placeholdersOf(file.from === 'address' ? file.address : undefined, file.fileName)

/** Returns what is missing or wrong, by the path of each field; nothing where it can be sent. */
export function recipientFileProblems(file: RecipientFile): Record<string, string> {
  const source: [string, string | undefined] =
    file.from === 'address' ? ['address', addressProblem(file.address)] : ['field', fieldProblem(file.field)]
  const unfilled = filePlaceholders(file)
    .filter((key) => !file.fields[key])
    .map((key): [string, string] => [`fields.${key}`, `Choose the field that fills {{${key}}}`])
  const named: [string, string | undefined] = ['fileName', bracesProblem(file.fileName ?? '')]
  const all: [string, string | undefined][] = [source, named, ...unfilled]
  return Object.fromEntries(all.flatMap(([path, problem]) => (problem === undefined ? [] : [[path, problem]])))
}

const fieldProblem = (field: string): string | undefined =>
  field === '' ? 'Choose the field that has the address' : undefined

function addressProblem(address: string): string | undefined {
  if (address === '') return 'Enter the address of the file'
  const [, host = ''] = /^https?:\/\/([^/?#]*)/.exec(address) ?? []
  if (host === '' || !isFileAddress(address.replaceAll(/\{\{[^}]*\}\}/g, 'x')))
    return 'Enter an address that begins with https://'
  // A contact's value must not decide which server is asked.
  if (/[{}]/.test(host)) return 'Variables may stand after the name of the server only'
  if (bracesProblem(address)) return bracesProblem(address)
  return placeholdersOf(address).length === 0
    ? 'Put a variable such as {{order}} into the address: without one it is the same file for everybody'
    : undefined
}

/** Finds braces that are no variable. */
const bracesProblem = (text: string): string | undefined =>
  /[{}]/.test(text.replaceAll(/\{\{([a-z][a-z0-9_]{0,63}|[1-9]\d{0,2})\}\}/g, ''))
    ? 'Write variables like {{order_no}}: small letters, digits and _'
    : undefined

/** Returns whether a text can be the address of a file: https, or http on this machine for development, and no password in it. */
export function isFileAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.href.length > maxFileAddress || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname))
}
