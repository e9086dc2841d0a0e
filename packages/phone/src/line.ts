/**
 * A phone line is written in several ways: with and without a digit that was once dialled before mobile numbers (Argentina, Mexico) or
 * was added to them (Brazil), by the old and the new numbers of Benin (2024) and Ivory Coast (2021). Software stores the one, WhatsApp
 * names the other.
 */
interface Rule {
  /** Form of numbers that is in use today. */
  readonly now: RegExp
  /** @returns the other way of writing a number that {@link Rule.now} fits; `undefined` where it has none. */
  readonly toOther: (now: string) => string | undefined
  readonly other: RegExp
  /** @returns the way in use today of a number that {@link Rule.other} fits. */
  readonly toNow: (other: string) => string
}

const rules: readonly Rule[] = [
  {
    now: /^\+549[1-8]\d{9}$/,
    toOther: (now) => `+54${now.slice(4)}`,
    other: /^\+54[1-8]\d{9}$/,
    toNow: (other) => `+549${other.slice(3)}`,
  },
  {
    now: /^\+52[2-9]\d{9}$/,
    toOther: (now) => `+521${now.slice(3)}`,
    other: /^\+521[2-9]\d{9}$/,
    toNow: (other) => `+52${other.slice(4)}`,
  },
  {
    // Eight digits after the area of two; those of landlines begin with 2 to 5 and have never had a ninth.
    now: /^\+55[1-9]\d9[6-9]\d{7}$/,
    toOther: (now) => now.slice(0, 5) + now.slice(6),
    other: /^\+55[1-9]\d[6-9]\d{7}$/,
    toNow: (other) => `${other.slice(0, 5)}9${other.slice(5)}`,
  },
  {
    now: /^\+22901[2-9]\d{7}$/,
    toOther: (now) => `+229${now.slice(6)}`,
    other: /^\+229[2-9]\d{7}$/,
    toNow: (other) => `+22901${other.slice(4)}`,
  },
  {
    now: /^\+225(?:0[157]|2[157])\d{8}$/,
    // Numbers that were given out since have never had eight digits.
    toOther: (now) => (ivorianPrefix(now.slice(6)) === now.slice(4, 6) ? `+225${now.slice(6)}` : undefined),
    other: /^\+225\d{8}$/,
    toNow: (other) => `+225${ivorianPrefix(other.slice(4))}${other.slice(4)}`,
  },
]

/**
 * The operator's prefix that an eight-digit number of Ivory Coast was given: by the second digit of a mobile number, by the third of a
 * landline. Source: ARTCI's plan of 31 January 2021, as the national list of prefixes names it.
 */
function ivorianPrefix(number: string): string {
  const [first = '', second = '', third = ''] = number
  if (/[23]/.test(first)) return third === '0' ? '25' : first === '2' && third === '8' ? '21' : '27'
  return second <= '3' ? '01' : second <= '6' ? '05' : '07'
}

/**
 * Every way of writing a line, the one in use today first: one for most numbers, two at most.
 * @param e164 `+` and digits, in whatever way.
 */
export function lineForms(e164: string): [string, ...string[]] {
  for (const { now, toOther, other, toNow } of rules) {
    // Eight digits of Ivory Coast never pass for ten, nor a short form of the other countries for a long one.
    if (now.test(e164)) {
      const second = toOther(e164)
      return second === undefined ? [e164] : [e164, second]
    }
    if (other.test(e164)) return [toNow(e164), e164]
  }
  return [e164]
}

/** The key of a line: the same for every way of writing it. @param e164 `+` and digits. */
export const lineKey = (e164: string): string => lineForms(e164)[0]

/** The same line as other systems may write it. @returns none where there is but one way. */
export const otherForms = (e164: string): string[] => lineForms(e164).filter((form) => form !== e164)

/** Returns whether two numbers belong to one line. */
export const isSameLine = (left: string, right: string): boolean => lineKey(left) === lineKey(right)

const callingCodes = ['54', '52', '55', '229', '225']

/**
 * Returns other notations of a whole number's digits, with or without its country, as other systems may write them.
 * @param digits as a member types them into a search.
 * @returns none for parts of numbers, for lines with one notation, and for forms that contain the digits themselves.
 */
export function otherDigits(digits: string): string[] {
  const whole = otherForms(`+${digits}`).map((form) => form.slice(1))
  const national = callingCodes.flatMap((code) =>
    otherForms(`+${code}${digits}`).map((form) => form.slice(1 + code.length)),
  )
  return [...new Set([...whole, ...national])].filter((other) => !other.includes(digits))
}
