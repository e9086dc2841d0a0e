import type { World } from '../world.ts'

/** Milliseconds in which the page that got a code has to hand it to its server. */
const lifeMs = 30_000

/** Stores codes of an embedded sign-up: each stands for an account, once. */
export function createCodes({ clock, random }: Pick<World, 'clock' | 'random'>) {
  const codes = new Map<string, { accountId: string; until: number }>()

  function create(accountId: string): string {
    const code = random.token(40)
    codes.set(code, { accountId, until: clock.now() + lifeMs })
    return code
  }

  /** @returns the account, unless the code is unknown, used or too old. */
  function consume(code: string): string | undefined {
    const found = codes.get(code)
    codes.delete(code)
    return found && found.until > clock.now() ? found.accountId : undefined
  }

  return { create, consume }
}
