/** Options of an index that holds those records alone which have the field. @param field a path. */
export const whereExists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })
