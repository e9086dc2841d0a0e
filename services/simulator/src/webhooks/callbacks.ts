import type { Callback } from '../records.ts'
import type { World } from '../world.ts'

const timeoutMs = 10_000

/** Finds the address for webhooks, and checks whether a server answers there. */
export function createCallbacks(world: World) {
  /** Finds the callback: a number's override comes before its account's, and that before the app's. */
  function callbackOf(accountId: string, numberId: string | null): Callback | undefined {
    const numberOverride = numberId === null ? undefined : world.numbers.get(numberId)?.override
    const account = world.accounts.get(accountId)
    return numberOverride ?? account?.override ?? (account && world.apps.get(account.appId)?.callback) ?? undefined
  }

  /** The number, where its webhooks have an address of their own. */
  const ownAddressOf = (numberId: string | undefined): string | null =>
    numberId !== undefined && world.numbers.get(numberId)?.override ? numberId : null

  /**
   * The handshake of a callback: it must echo a challenge.
   * @returns what is wrong with it, or `undefined`.
   */
  async function verify({ url, verifyToken }: Callback): Promise<string | undefined> {
    const challenge = world.random.digits(10)
    const address = new URL(url)
    for (const [name, value] of Object.entries({ mode: 'subscribe', verify_token: verifyToken, challenge }))
      address.searchParams.set(`hub.${name}`, value)
    try {
      const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      const text = (await response.text()).slice(0, 100)
      if (response.status !== 200) return `it answered ${response.status}`
      return text === challenge ? undefined : 'it did not answer with the challenge'
    } catch {
      return 'it could not be reached'
    }
  }

  return { callbackOf, ownAddressOf, verify }
}
