/** A person's card as a message shows it. */
interface Card {
  readonly name: string | undefined
  readonly phones: readonly string[]
  readonly company: string | undefined
  readonly emails: readonly string[]
}

/**
 * Reads what a message shows of the first card in a vCard of any version (2.1, RFC 2426, RFC 6350). A line that cannot be read costs
 * itself.
 */
export function cardOfVcard(vcard: string): Card {
  const lines = unfolded(vcard).flatMap((line) => propertyOf(line) ?? [])
  const all = (name: string) =>
    lines.filter((line) => line.name === name).flatMap(({ value }) => (value === '' ? [] : value))
  const [family = '', given = ''] = partsOf(lines.find(({ name }) => name === 'N'))
  const [company] = partsOf(lines.find(({ name }) => name === 'ORG'))
  return {
    name: (all('FN')[0] ?? `${given} ${family}`.trim()) || undefined,
    phones: all('TEL').map((phone) => phone.replace(/^tel:/i, '')),
    company: company || undefined,
    emails: all('EMAIL'),
  }
}

/** A line continues where the next begins with a blank; in quoted-printable also where it ends with an equals sign (2.1). */
function unfolded(vcard: string): string[] {
  const lines: string[] = []
  let isQuoted = false
  for (const line of vcard.split(/\r\n?|\n/)) {
    const last = lines.at(-1)
    if (last !== undefined && isQuoted && last.endsWith('=')) lines.splice(-1, 1, last.slice(0, -1) + line)
    else if (last !== undefined && /^[ \t]/.test(line)) lines.splice(-1, 1, last + line.slice(1))
    else {
      if (/^END:VCARD/i.test(line)) break
      isQuoted = /^[^:]*quoted-printable/i.test(line)
      lines.push(line)
    }
  }
  return lines
}

interface Property {
  readonly name: string
  readonly value: string
  readonly raw: string
}

function propertyOf(line: string): Property | undefined {
  const [, name, parameters = '', value = ''] =
    /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? []
  if (name === undefined) return undefined
  const raw = /quoted-printable/i.test(parameters) ? fromQuotedPrintable(value) : value
  return { name: name.toUpperCase(), value: unescaped(raw).trim(), raw }
}

/** One character may be several bytes of UTF-8; other bytes are of Latin-1. */
function fromQuotedPrintable(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('%', '%25').replaceAll(/=([0-9A-F]{2})/gi, '%$1'))
  } catch {
    return value.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const unescaped = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_, sign: string) => (/n/i.test(sign) ? ' ' : sign))

/** Splits at semicolons, where no backslash is before them. */
const partsOf = (property: Property | undefined): string[] =>
  (property?.raw ?? '').split(/(?<!\\);/).map((part) => unescaped(part).trim())
