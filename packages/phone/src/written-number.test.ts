import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePhone, phoneReadings } from './phone.ts'
import { isShortened } from './written-number.ts'

test.each([
  ['a lead form', 'p:+919876543210'],
  ['a data frame', '9876543210.0'],
  ['a formula that keeps digits', '="9876543210"'],
  ['an apostrophe', "'9876543210"],
  ['a full-width plus', '＋919876543210'],
  ['full-width digits', '＋９１９８７６５４３２１０'],
  ['Devanagari digits', '९८७६५४३२१०'],
  ['Bengali digits', '+৯১ ৯৮৭৬৫ ৪৩২১০'],
  ['Arabic digits', '٩٨٧٦٥٤٣٢١٠'],
  ['Persian digits', '۹۸۷۶۵۴۳۲۱۰'],
  ['marks of direction', '\u200e+91 98765 43210\u202c'],
  ['isolates', '\u2066+919876543210\u2069'],
  ['a byte order mark and a zero-width space', '\ufeff98765\u200b43210'],
  ['spaces that do not break', '+91\u00a098765\u202f43210'],
  ['tel:', 'tel:+91-98765-43210'],
  ['Tel.:', 'Tel.: 098765 43210'],
  ['whatsapp:', 'whatsapp:+919876543210'],
  ['a link', 'https://wa.me/919876543210?text=Hi'],
  ['a link without its scheme', 'wa.me/919876543210'],
  ['another link', 'https://api.whatsapp.com/send?text=Hi&phone=%2B919876543210'],
  ['an identity', '919876543210@s.whatsapp.net'],
  ['an identity of a device', '919876543210:12@s.whatsapp.net'],
  ['an older identity', '919876543210@c.us'],
  ['all digits with an exponent', '9.87654321E9'],
  ['a country with an exponent', '9.1987654321E11'],
  ['00', '0091 98765 43210'],
])('a number in the notation of %s is read: %s', (_, written) => {
  expect(parsePhone(written, 'IN')?.e164).toBe('+919876543210')
})

test.each(['9.19877E+11', '9e+11', '9.8765E9'])('%s has lost digits and is no number', (written) => {
  expect(isShortened(written)).toBe(true)
  expect(parsePhone(written, 'IN')).toBeUndefined()
})

test.each(['fax:+919876543210', '120363000000000000@g.us', '999999999@lid', '9876543210.5', ''])(
  '%j is no number',
  (written) => expect(parsePhone(written, 'IN')).toBeUndefined(),
)

test.each([
  ['9876543210', 'IN', { national: '+919876543210' }],
  ['919876543210', 'IN', { international: '+919876543210' }],
  ['4915112345601', 'IN', { international: '+4915112345601' }],
  ['6581234567', 'IN', { national: '+916581234567', international: '+6581234567' }],
  ['919811100081', 'DE', { national: '+49919811100081', international: '+919811100081' }],
  ['06581234567', 'IN', { national: '+916581234567' }],
  ['+6581234567', 'IN', { international: '+6581234567' }],
  ['12', 'IN', {}],
] as const)('%s in a file of %s may be %j', (written, country, expected) => {
  const readings = Object.entries(phoneReadings(written, country)).map(([way, phone]) => [way, phone.e164])
  expect(Object.fromEntries(readings)).toEqual(expected)
})

test.each([
  ['98765 43210', '+91', '+919876543210'],
  ['0151 12345601', '+49', '+4915112345601'],
  ['(415) 555-2671', '+1', '+14155552671'],
  ['+65 8123 4567', '+91', '+6581234567'],
] as const)('%s beside the calling code %s is %s', (written, callingCode, expected) => {
  expect(parsePhone(written, callingCode)?.e164).toBe(expected)
})

const known = ['+919876543210', '+14155552671', '+4915112345601', '+6581234567', '+971501234003', '+8613800138004']
const zeros = ['0', '０', '०', '০', '٠', '۰', '๐', '੦']
const marks = ['\u200b', '\u200e', '\u200f', '\u202a', '\u202c', '\u2066', '\u2069', '\ufeff']

test('no script, mark or wrapping makes another number of one with its country', () => {
  const wraps = [
    (text: string) => text,
    (text: string) => `p:${text}`,
    (text: string) => `tel:${text}`,
    (text: string) => `="${text}"`,
    (text: string) => ` '${text} `,
  ]
  const anyPlace = fc.array(fc.tuple(fc.nat(15), fc.constantFrom(...marks)), { maxLength: 4 })
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.constantFrom(...zeros),
      fc.constantFrom('+', '＋'),
      fc.constantFrom(...wraps),
      anyPlace,
      (phone, zero, plus, wrap, places) => {
        const letters = [...phone.replace('+', plus)].map((letter) =>
          /\d/.test(letter) ? String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(letter)) : letter,
        )
        for (const [index, mark] of places) letters.splice(index, 0, mark)
        expect(parsePhone(wrap(letters.join('')), 'IN')?.e164).toBe(phone)
      },
    ),
  )
})
