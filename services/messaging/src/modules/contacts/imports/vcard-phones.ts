import type { Property } from './vcard-property.ts'

/** Devices on which no one answers a message. */
const machines = /^(FAX|PAGER|MODEM|BBS|TELEX|TLX|ISDN|VIDEO-?FAX|TEXTPHONE|TTY)$/

interface RankedPhone {
  readonly number: string
  /** The lowest is the one to write to. */
  readonly rank: number
}

/**
 * Phone numbers of a card, the one to write to first: of WhatsApp, mobile, preferred, others, as the card has them.
 * @param labels names that people gave, by the group of their line: `_$!<Mobile>!$_`.
 */
export function phonesOf(properties: readonly Property[], labels: ReadonlyMap<string, string>): string[] {
  const phones = properties
    .flatMap((property) => rankedPhones(property, labels.get(property.group) ?? ''))
    .toSorted((one, other) => one.rank - other.rank)
  const byDigits = new Map<string, string>()
  for (const { number } of phones) {
    const digits = number.replaceAll(/\D/g, '')
    if (digits !== '' && !byDigits.has(digits)) byDigits.set(digits, number)
  }
  return [...byDigits.values()]
}

function rankedPhones({ name, parameters, value }: Property, label: string): RankedPhone[] {
  if (name === 'X-WHATSAPP' || (name === 'IMPP' && isWhatsApp(value, parameters)))
    return [{ number: value.replace(/^[a-z][\w+-]*:(\/\/)?/i, '').replace(/@.*$/, ''), rank: 0 }]
  if (name !== 'TEL') return []
  const types = new Set(parameters.get('TYPE'))
  if ([...types].some((type) => machines.test(type)) || /\b(fax|pager)\b|HomeFAX|WorkFAX|OtherFAX/i.test(label))
    return []
  const isPreferred = types.has('PREF') || parameters.has('PREF')
  const isMobile =
    types.has('CELL') || types.has('MOBILE') || types.has('IPHONE') || /mobile|cell|iphone|handy/i.test(label)
  // WhatsApp's own cards state the person's WhatsApp number.
  const waNumber = parameters.get('WAID')?.[0]?.replaceAll(/\D/g, '')
  const rank = /whats ?app/i.test(label) || types.has('WHATSAPP') ? 0 : (isMobile ? 2 : 4) - (isPreferred ? 1 : 0)
  return [...(waNumber ? [{ number: `+${waNumber}`, rank: 0 }] : []), { number: numberOf(value), rank }]
}

const isWhatsApp = (value: string, parameters: Property['parameters']): boolean =>
  /^whatsapp:/i.test(value) || (parameters.get('X-SERVICE-TYPE') ?? []).includes('WHATSAPP')

/** The number of a `tel:` address alone (RFC 3966). */
function numberOf(value: string): string {
  const [, address] = /^\s*tel:\s*(.*)$/is.exec(value) ?? []
  if (address === undefined) return value.trim()
  const [number = ''] = address.split(';')
  const context = /;phone-context=(\+\d+)/i.exec(address)?.[1] ?? ''
  const plain = number
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .trim()
  return plain.startsWith('+') ? plain : `${context}${plain}`
}
