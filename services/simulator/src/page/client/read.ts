/** Parts of a message, whose shape depends on its type. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])
export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
