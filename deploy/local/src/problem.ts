/** Something a person must put right: one sentence that says what is wrong and one that says what to type. */
export class Problem extends Error {
  constructor(what: string, remedy: string) {
    super(`${what} ${remedy}`)
    this.name = 'Problem'
  }
}

/** One finding of the doctor. A problem always comes with what to do about it. */
export interface Check {
  readonly verdict: 'ok' | 'note' | 'problem'
  readonly subject: string
  readonly finding: string
  readonly remedy?: string
}

/** Turns a full disk or a folder that may not be written into a {@link Problem}; anything else comes back as it is. */
export function explainFileError(error: unknown, folder: string): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Problem(
      `The disk that holds ${folder} is full.`,
      'Free some space (the local stack needs about 1 GB) and start again.',
    )
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new Problem(
      `${folder} cannot be read and written by this user.`,
      `Give it back to yourself with: sudo chown -R "$(id -u)" "${folder}"`,
    )
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new Problem(`${folder} should be a folder, but it is a file.`, 'Move that file away and start again.')
  return error
}

/** The `code` of a system error (`ENOENT`), `undefined` for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** A finding about one server, which its caller names. */
export type Source = Omit<Check, 'subject'>
