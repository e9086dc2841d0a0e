/**
 * Reads around what programs and people write with a phone number, so that the number itself is left: digits of any script
 * and full-width signs become those of ASCII, invisible marks of direction go, and so do a label or scheme before it
 * (`p:`, `tel:`, `whatsapp:`), a link or identity of WhatsApp around it (`https://wa.me/…`, `…@s.whatsapp.net`), the formula
 * (`="…"`) or apostrophe that keeps a spreadsheet from counting it, and the decimals (`.0`) or exponent of a data frame.
 * @returns a text that begins with a plus where the number names its country; other texts as they are, without marks.
 */
export function plainNumber(written: string): string {
  if (isPlain.test(written)) return withPlus(written.trim())
  const text = withoutMarks(written)
    .replace(/^=\s*"?([^"]*)"?$/, '$1')
    .replace(/^['’`"]+|["]+$/g, '')
    .trim()
  const ofWhatsApp = linked.exec(text)?.[1] ?? identity.exec(text)?.[1]
  if (ofWhatsApp !== undefined) return `+${ofWhatsApp}`
  const bare = text.replace(label, '').replace(/^(\+?\d{6,15})[.,]0+$/, '$1')
  return withPlus(fromExponent(bare) ?? bare)
}

/** Removes the invisible characters that programs add to a number: directional marks, joiners, byte order marks. */
export const withoutMarks = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[^\P{Nd}0-9]/gu, asciiDigit)
    .trim()

/** True where a spreadsheet has rounded a number to a few digits: `9.19877E+11`. The others are lost. */
export const isShortened = (written: string): boolean =>
  exponent.test(withoutMarks(written)) && fromExponent(withoutMarks(written)) === undefined

/** True for digits alone, however they are parted: nothing in them says whether they begin with a country. */
export const isBareDigits = (plain: string): boolean => /^\(?[1-9][\d\s()./-]*$/.test(plain)

/** Most numbers of a file have no letters to look at. */
const isPlain = /^ *\+?[\d ()-]+$/
const label = /^(?:tel|phone|ph|p|mobile|mob|cell|m|t|callto|sms|whatsapp|wa)\s*\.?\s*:\s*(?:\/\/)?/i
const linked =
  /^(?:https?:\/\/|whatsapp:\/\/)?(?:(?:www\.)?wa\.me\/|(?:(?:api|web|www)\.whatsapp\.com\/)?send\/?\?(?:.*&)?phone=)(?:%2B|\+)?(\d{7,15})\b/i
const identity = /^(\d{7,15})(?:[.:]\d+)*@(?:s\.whatsapp\.net|c\.us)$/i
const exponent = /^\+?(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i
/** Spreadsheets show six digits of a number that they shorten; a program that writes more writes all of them. */
const minExponentDigits = 8

function fromExponent(text: string): string | undefined {
  const [, first = '', rest = '', power = ''] = exponent.exec(text) ?? []
  const zeros = Number(power) - rest.length
  const isWhole = first !== '' && zeros >= 0 && Number(power) < 15
  return isWhole && 1 + rest.length >= minExponentDigits ? `${first}${rest}${'0'.repeat(zeros)}` : undefined
}

const withPlus = (text: string): string => text.replace(/^\(?00\s*(?=[1-9])/, '+')

/** Digits of a script lie side by side, from zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}
