/** @returns what was wanted and why it failed; nothing when it worked. */
export function attempt(what: string, work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    return `${what}: ${reason}`
  }
}
