/** Returns the present moment; tests pass another. */
export type Clock = () => Date
