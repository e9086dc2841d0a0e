export const mostBytes = 50 * 1024 * 1024
export const mostRows = 100_000
export const mostColumns = 60

/** Why a file cannot be imported, in a sentence for the person. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}
