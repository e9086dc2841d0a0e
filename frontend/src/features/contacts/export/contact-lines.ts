import type { Contact } from '@parley/contracts/contacts'
import { byteOrderMark, csvLine, lineEnd } from '@parley/contracts/csv-cells'
import { parsePhone } from '@parley/phone'

/**
 * Writes contacts as CSV, page by page. Attributes become columns as they are met, so the header is known at the end;
 * lines of before are filled up then.
 */
export function createContactLines(timeZone: string) {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const attributes: string[] = []
  const pages: { lines: string[]; columns: number }[] = []

  function lineOf(contact: Contact): string {
    for (const name of Object.keys(contact.attributes)) if (!attributes.includes(name)) attributes.push(name)
    return csvLine([
      contact.name,
      contact.phone ? (parsePhone(contact.phone)?.international ?? contact.phone) : '',
      contact.tags.join(', '),
      contact.lastContactAt ? time.format(new Date(contact.lastContactAt)) : '',
      time.format(new Date(contact.createdAt)),
      ...attributes.map((name) => contact.attributes[name] ?? ''),
    ])
  }

  return {
    add(contacts: readonly Contact[]): void {
      const before = attributes.length
      const lines = contacts.map((contact) => {
        const line = lineOf(contact)
        return { line, columns: attributes.length }
      })
      const after = attributes.length
      pages.push({
        columns: after,
        lines:
          before === after
            ? lines.map(({ line }) => line)
            : lines.map(({ line, columns }) => line + ','.repeat(after - columns)),
      })
    },
    /** The whole file, in parts that a Blob takes. */
    parts(): string[] {
      const header = csvLine([
        'Name',
        'Phone',
        'Tags',
        `Last contact (${timeZone})`,
        `Added (${timeZone})`,
        ...attributes,
      ])
      const body = pages.map(({ lines, columns }) => {
        const missing = ','.repeat(attributes.length - columns)
        return lines.map((line) => line + missing + lineEnd).join('')
      })
      return [byteOrderMark + header + lineEnd, ...body]
    },
  }
}

/** `contacts-2026-11-21.csv`, the day being that of the person. */
export const exportFileName = (now: Date, timeZone: string): string =>
  `contacts-${new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)}.csv`
