import { parsePhone } from '@parley/phone'
import { lineForms } from '@parley/phone/line'
import { plainNumber } from '@parley/phone/written-number'
import type { ContactRecord } from '../contacts/contacts.service.ts'

/** Somebody who is to be found wherever they are stored. */
export interface Person {
  readonly contactId: string
  /** Of conversations that there are, and of those that a campaign's messages would be in. */
  readonly conversationIds: readonly string[]
  readonly trace: Trace
}

/** By what somebody is recognised in texts. */
export interface Trace {
  /** In JSON: the phone number's digits, not as a part of longer ones, or the platform's id. */
  readonly identity: RegExp
  /** The same, or the whole name. */
  readonly anything: RegExp
  /** Whether a cell of a table is theirs: numbers in any notation, also without the country. */
  readonly inCell: (cell: string) => boolean
}

type Known = Pick<ContactRecord, 'name' | 'phone' | 'waPhone' | 'waUserId'>

export function traceOf({ name, phone, waPhone, waUserId }: Known): Trace {
  // Webhooks and files may name them by another form of the number.
  const forms = [...new Set([phone ?? [], waPhone?.number ?? []].flat().flatMap(lineForms))]
  const digits = forms.flatMap((form) => form.replaceAll(/\D/g, '') || [])
  const numbers = [...digits, ...forms.flatMap((form) => parsePhone(form)?.nationalNumber ?? [])]
  const identities = [
    ...digits.map((one) => `(?:^|[^0-9])${one}(?:[^0-9]|$)`),
    ...(waUserId ? [escaped(waUserId)] : []),
  ]
  const named = `(?:^|[^\\p{L}])${escaped(name)}(?:[^\\p{L}]|$)`
  const inCell = (cell: string): boolean => {
    if (waUserId !== undefined && cell.includes(waUserId)) return true
    if (cell.trim() === name) return true
    // A cell may hold several numbers, each in the notation of the program that wrote it.
    return [cell, ...cell.split(/[:,;|/\n]+/)].some((part) => {
      const own = plainNumber(part).replaceAll(/\D/g, '').replace(/^0+/, '')
      return numbers.includes(own)
    })
  }
  return {
    // Somebody without any identity is known by nothing that a text could hold.
    identity: new RegExp(identities.join('|') || '$^', 'u'),
    anything: new RegExp([...identities, named].join('|'), 'iu'),
    inCell,
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, (sign) => `\\${sign}`)
