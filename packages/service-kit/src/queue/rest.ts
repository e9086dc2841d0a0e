export type Rest = ReturnType<typeof createRest>

/** Lets all work of a process wait, between two pieces of it: those in hand end. */
export function createRest() {
  let waiting: PromiseWithResolvers<void> | undefined
  let inHand = 0
  let isElsewhere = async (_workspaceId: string) => false
  let isOpen = () => true
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    inHand += 1
    try {
      return await work()
    } finally {
      inHand -= 1
    }
  }
  return {
    begin: (): void => {
      waiting ??= Promise.withResolvers()
    },
    end: (): void => {
      waiting?.resolve()
      waiting = undefined
    },
    /** Has nobody look for work while the database is not open. */
    lookWhile: (ask: typeof isOpen): void => {
      isOpen = ask
    },
    /** Has work left out that is of workspaces which another cell has by now. @param ask tells of a workspace whether that is so. */
    leaveOut: (ask: typeof isElsewhere): void => {
      isElsewhere = ask
    },
    /** Does a piece of work of a workspace, after the rest; nothing where another cell has it by then: its records are there. */
    runOf: async (workspaceId: string, work: () => Promise<void>): Promise<void> => {
      while (waiting) await waiting.promise
      await counted(async () => {
        if (!(await isElsewhere(workspaceId))) await work()
      })
    },
    /** Returns whether everything waits, and nothing is in hand. */
    isStill: (): boolean => waiting !== undefined && inHand === 0,
    isIdle: (): boolean => inHand === 0,
    /** Does a piece of work, after the rest. Never nested: the inner one would wait for the outer. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      while (waiting) await waiting.promise
      return counted(work)
    },
    /** Looks for work, but neither during the rest, for whose end a process that stops does not wait, nor before there is a database. */
    whenAwake: async <T>(look: () => Promise<T>): Promise<T | undefined> =>
      waiting || !isOpen() ? undefined : counted(look),
  }
}
