/** Returns the options of an index of only those records that have a field. @param field a path. */
export const whereExists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })
