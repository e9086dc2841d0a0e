/** Rules for the number by which WhatsApp knows a person who is dialled by another. */
export interface WaIdRules {
  /** Brazil: the 9 before a mobile number is left out. */
  brazil: boolean
  /** Mexico: the 1 after the country code is left out. */
  mexico: boolean
  /** Argentina: the 9 after the country code is left out. */
  argentina: boolean
  /** Dialled digits → `wa_id`, before everything else. */
  numbers: Record<string, string>
}

const usual: WaIdRules = { brazil: true, mexico: true, argentina: true, numbers: {} }

/** Maps dialled numbers to a `wa_id`, by rules that can be set and put back. */
export function createWaIds() {
  const rules: WaIdRules = { ...usual }
  /** Numbers assigned to those that end in 000777: a message to such a number does not change it again. */
  const assignedNumbers = new Set<string>()

  function waIdOf(digits: string): string {
    const named = Object.hasOwn(rules.numbers, digits) ? rules.numbers[digits] : undefined
    if (named !== undefined) return named
    if (assignedNumbers.has(digits)) return digits
    if (digits.endsWith('000777')) {
      const other = `${digits.slice(0, 2)}${digits.slice(3)}`
      assignedNumbers.add(other)
      return other
    }
    if (digits.length !== 13) return digits
    if (rules.brazil && digits.startsWith('55') && digits[4] === '9') return digits.slice(0, 4) + digits.slice(5)
    if (rules.mexico && digits.startsWith('521')) return `52${digits.slice(3)}`
    if (rules.argentina && digits.startsWith('549')) return `54${digits.slice(3)}`
    return digits
  }

  return {
    waIdOf,
    change: (changed: Partial<WaIdRules> = {}): WaIdRules => ({ ...Object.assign(rules, changed) }),
    reset: () => {
      Object.assign(rules, usual)
      assignedNumbers.clear()
    },
  }
}
export type WaIds = ReturnType<typeof createWaIds>
