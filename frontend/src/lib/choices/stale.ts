/** Choices come from other screens and other people: older ones are read again when a picker opens. */
export const choiceStaleMs = 30_000

/** Maximum records that a picker offers. */
export const choiceLimit = 100
