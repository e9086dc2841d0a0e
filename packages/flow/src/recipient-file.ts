import { isFileAddress, maxFileName, type RecipientFile } from '@parley/contracts/campaigns/recipient-files'
import { fillPlaceholders, placeholdersOf } from '@parley/contracts/templates/placeholders'
import { fieldOf, type NamedContact } from './template-values.ts'

/** File of one contact; `missing` where a field of theirs is empty, `invalid` where what comes out is no address. */
type FileOfContact = { readonly address: string; readonly name: string } | 'missing' | 'invalid'

/** Returns the address and name of the file that a contact gets. */
export function fileOfContact(file: RecipientFile, contact: NamedContact): FileOfContact {
  const valueFor = (key: string) => fieldOf(contact, file.fields[key] ?? '').trim()
  const address = file.from === 'field' ? fieldOf(contact, file.field).trim() : filledAddress(file.address, valueFor)
  if (address === '' || address === 'missing') return 'missing'
  if (!isFileAddress(address)) return 'invalid'
  const url = new URL(address)
  // The part after # is not sent to a server: two addresses that differ in it are one file.
  url.hash = ''
  return { address: url.href, name: filledName(file.fileName, valueFor) ?? nameInAddress(url) }
}

/** Fills values in as parts of a path or query: none of them leads to another place of the server. */
function filledAddress(pattern: string, valueFor: (key: string) => string): string {
  const values = Object.fromEntries(placeholdersOf(pattern).map((key) => [key, valueFor(key)]))
  if (Object.values(values).includes('')) return 'missing'
  // A path does not go up, whatever a value is.
  if (Object.values(values).some((value) => /^\.{1,2}$/.test(value) || !value.isWellFormed())) return 'invalid'
  const encoded = Object.entries(values).map(([key, value]) => [key, encodeURIComponent(value)])
  return fillPlaceholders(pattern, Object.fromEntries(encoded))
}

function filledName(pattern: string | undefined, valueFor: (key: string) => string): string | undefined {
  if (!pattern) return undefined
  const values = Object.fromEntries(placeholdersOf(pattern).map((key) => [key, valueFor(key)]))
  return Object.values(values).includes('') ? undefined : fillPlaceholders(pattern, values).slice(0, maxFileName)
}

function nameInAddress({ pathname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? 'file'
  try {
    return decodeURIComponent(last).slice(0, maxFileName)
  } catch {
    return last.slice(0, maxFileName)
  }
}
