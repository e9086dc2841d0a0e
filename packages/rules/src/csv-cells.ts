/**
 * Text that a spreadsheet takes for the beginning of a formula: OWASP's list for CSV injection, and the full-width forms that
 * some input methods write. Apostrophes before it, Parley's or the person's, count as part of it.
 */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/

/**
 * A phone number in international form: a plus, digits, and at least one space. No spreadsheet reads that as a formula or
 * as a number (which would lose the plus and end as 9.19877E+11), so it stays as it is and people can read it.
 */
const writtenPhone = /^\+\d{1,3}(?: \d+)+$/
const maxPhoneLength = 24

/** Returns a cell that no spreadsheet executes: an apostrophe, which spreadsheets hide, goes before a would-be formula. */
export function safeCell(text: string): string {
  if (!formulaStart.test(text)) return text
  return text.length <= maxPhoneLength && writtenPhone.test(text) ? text : `'${text}`
}

/** Returns the text that {@link safeCell} was given, so that our own export can be imported. */
export const cellText = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell

/** Returns one line of a CSV file without its end (RFC 4180), each cell as {@link safeCell} makes it. */
export const csvLine = (cells: readonly string[]): string => cells.map((cell) => quoted(safeCell(cell))).join(',')

const quoted = (cell: string): string => (/[",;\r\n\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Byte order mark, without which spreadsheets do not recognise UTF-8. */
export const byteOrderMark = '\uFEFF'
export const lineEnd = '\r\n'
