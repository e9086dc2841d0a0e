/** Why a file cannot be imported, in a sentence for the person. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}
