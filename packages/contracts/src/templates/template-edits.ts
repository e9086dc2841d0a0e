const hourMs = 3600_000
const dayMs = 24 * hourMs

/** Limits on changes of an approved template at WhatsApp (Cloud API, message templates: edit a template). */
export const editRules = { minMs: dayMs, most: 10, withinMs: 30 * dayMs } as const

/** Remaining changes that WhatsApp takes. */
export interface EditBudget {
  /** Remaining changes within 30 days. */
  readonly left: number
  /** Time at which the next one is accepted; `undefined` where it is now. */
  readonly nextAt?: Date | undefined
}

/** @param editedAt when the template was changed while it was approved, in any order, as ISO times or dates. */
export function editBudget(editedAt: readonly (string | Date)[], now: Date): EditBudget {
  const since = now.getTime() - editRules.withinMs
  const times = editedAt
    .map((at) => new Date(at).getTime())
    .filter((at) => at > since)
    .sort((left, right) => left - right)
  const left = Math.max(0, editRules.most - times.length)
  const oldest = times.at(-editRules.most)
  const next = Math.max(
    (times.at(-1) ?? Number.NEGATIVE_INFINITY) + editRules.minMs,
    oldest === undefined ? Number.NEGATIVE_INFINITY : oldest + editRules.withinMs,
  )
  return next > now.getTime() ? { left, nextAt: new Date(next) } : { left }
}

/** Reason why WhatsApp would refuse any change of a template. */
export type Uneditable = 'unsupported' | 'pending' | 'disabled' | 'budget'

/** @returns `undefined` where a change can be sent. */
export function uneditable(
  {
    status,
    unsupported,
    editedAt = [],
  }: {
    readonly status: string
    readonly unsupported?: readonly string[] | undefined
    readonly editedAt?: readonly (string | Date)[] | undefined
  },
  now: Date,
): Uneditable | undefined {
  if (unsupported?.length) return 'unsupported'
  if (status === 'pending' || status === 'disabled') return status
  return status === 'approved' && editBudget(editedAt, now).nextAt ? 'budget' : undefined
}
