/** The story's own records, and as many copies of them, each with a number to its name, as make up `count`. */
export const repeated = <T extends { readonly name: string }>(records: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, index): T[] => {
    const record = records[index % records.length]
    const round = Math.floor(index / records.length) + 1
    return record ? [round === 1 ? record : { ...record, name: `${record.name} ${round}` }] : []
  }).flat()
