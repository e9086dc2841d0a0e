import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Redis } from 'ioredis'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { z } from 'zod'
import { hashToken, isSessionSecret, newSessionSecret, type SessionCipher } from '../session/session-cipher.ts'
import { guard } from '../session/session-store.ts'

const lifeSeconds = 600
const atMost = 5

const transactionSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  startedAt: z.number(),
  /** Parameters that the page asked with, returned to it at the end. */
  page: z.object({ state: z.string(), challenge: z.string(), redirectUri: z.string() }),
  /** Secret of the browser's session so far: its Strict cookie does not come along to the callback. */
  previous: z.string().optional(),
})
export type Transaction = z.infer<typeof transactionSchema>

/**
 * Sign-ins under way at the provider. Each has a cookie of its own, so that two tabs do not disturb each other; the record
 * is sealed with that cookie, so that a callback in any other browser opens nothing.
 */
export function createTransactions(options: { redis: Redis; cipher: SessionCipher; publicOrigin: string }) {
  const { redis, cipher } = options
  const origin = new URL(options.publicOrigin)
  const secure = origin.protocol === 'https:'
  const prefix = secure ? '__Host-tx-' : `tx-${origin.port || '80'}-`
  // Lax: the provider's redirect back is a cross-site navigation.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const cookieName = (state: string) => `${prefix}${hashToken(state).slice(0, 8)}`
  const recordKey = (state: string) => `tx:${hashToken(state)}`

  async function begin(
    req: IncomingMessage,
    res: ServerResponse,
    details: Pick<Transaction, 'page' | 'redirectUri'> & { previous: string | undefined },
  ): Promise<Transaction> {
    const transaction: Transaction = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      startedAt: Date.now(),
      ...details,
    }
    const secret = newSessionSecret()
    const sealed = cipher.seal(secret, 'tx', transaction)
    await guard(() => redis.set(recordKey(transaction.state), sealed, 'EX', lifeSeconds))
    const earlier = [...ownCookies(req).keys()]
    for (const name of earlier.slice(0, Math.max(0, earlier.length - atMost + 1))) clear(res, name)
    res.appendHeader('Set-Cookie', `${cookieName(transaction.state)}=${secret}; Max-Age=${lifeSeconds}; ${attributes}`)
    return transaction
  }

  /** Takes the transaction of a callback; it is gone afterwards. @returns `undefined` for a foreign, late or repeated one. */
  async function consume(req: IncomingMessage, res: ServerResponse, state: string): Promise<Transaction | undefined> {
    const name = cookieName(state)
    const secret = ownCookies(req).get(name)
    if (secret === undefined || !isSessionSecret(secret)) return undefined
    clear(res, name)
    const sealed = await guard(() => redis.getdel(recordKey(state)))
    const transaction = transactionSchema.safeParse(sealed === null ? undefined : cipher.open(secret, 'tx', sealed))
    return transaction.success ? transaction.data : undefined
  }

  function ownCookies(req: IncomingMessage): Map<string, string> {
    const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
    return new Map(pairs.flatMap(([name = '', value = '']) => (name.startsWith(prefix) ? [[name, value]] : [])))
  }

  const clear = (res: ServerResponse, name: string) =>
    res.appendHeader('Set-Cookie', `${name}=; Max-Age=0; ${attributes}`)

  return { begin, consume }
}
export type Transactions = ReturnType<typeof createTransactions>
