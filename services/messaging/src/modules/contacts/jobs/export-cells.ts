import { parsePhone } from '@parley/phone'
import type { ContactRecord } from '../contacts.model.ts'

/** Writes contacts as rows of a table: the fixed columns, then one for each attribute. */
export function createExportCells(timeZone: string, attributes: readonly string[]) {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return {
    header: [
      'Name',
      'Phone',
      'Tags',
      `Last contact (${timeZone})`,
      `Added (${timeZone})`,
      'WhatsApp user id',
      ...attributes,
    ],
    cellsOf(contact: ContactRecord): string[] {
      const values = new Map(contact.attributes.map(({ k, v }) => [k, v]))
      return [
        contact.name,
        contact.phone ? (parsePhone(contact.phone)?.international ?? contact.phone) : '',
        contact.tags.join(', '),
        contact.lastContactAt ? time.format(contact.lastContactAt) : '',
        time.format(contact.createdAt),
        contact.waUserId ?? '',
        ...attributes.map((name) => values.get(name) ?? ''),
      ]
    },
  }
}
