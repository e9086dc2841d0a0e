const constant = new Intl.NumberFormat('en-US')
const plain = new Intl.NumberFormat()

/** Figures that the specification fixes keep its grouping in every locale: `25,000` (readings 15). */
export const formatConstant = (value: number): string => constant.format(value)

/** Any other count, grouped as the person's locale does. */
export const formatCount = (value: number): string => plain.format(value)

/** A share of 0–100 in whole percent: `72%`. */
export const formatPercent = (percent: number): string => `${Math.round(percent)}%`

/** `1 contact`, `3 contacts`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${plain.format(count)} ${count === 1 ? one : many}`
