/** Id of a choice: the question, and the score. */
export const choiceOf = (ratingId: string, score: number): string => `rate.${ratingId}.${score}`

/** Returns the question and the score that a customer's choice stands for; `undefined` for every other message. */
export function ratingIn({ chosen }: { readonly [field: string]: unknown }): { id: string; score: number } | undefined {
  const [, id, score] = (typeof chosen === 'string' && /^rate\.([\da-f]{24})\.([1-5])$/.exec(chosen)) || []
  return id === undefined ? undefined : { id, score: Number(score) }
}
