type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The fields that a change names: what is `undefined` is left as it is. */
export const withoutAbsent = <T extends object>(patch: T): Present<T> =>
  // Object.entries loses the names' types.
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Present<T>
