import { AppError } from '@parley/service-kit/core/errors'
import { z } from 'zod'

const timeoutMs = 10_000

/** Addresses of the simulator, for this service and for browsers. */
export interface SimulatorAddresses {
  readonly url: string
  readonly publicUrl: string
}

const simulatedNumberSchema = z.object({
  phoneNumberId: z.string(),
  displayNumber: z.string(),
  accountId: z.string(),
  appSecret: z.string(),
  accessToken: z.string(),
})

async function call({ url }: SimulatorAddresses, method: string, path: string, body?: object): Promise<Response> {
  try {
    return await fetch(`${url}/sim${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw new AppError('upstream_failed', 'The simulator does not answer. Start it and try again.', { cause: error })
  }
}

/** Properties of a new number on the simulator; the rest is as usual there. */
interface SimulatedNumberRequest {
  readonly name: string
  readonly accountId?: string
  readonly displayNumber?: string
  readonly registered?: boolean
  readonly quality?: 'GREEN' | 'YELLOW' | 'UNKNOWN'
  readonly limitTier?: string
}

/** A person whom a number on the simulator knows. */
export interface SimulatedPerson {
  readonly phone: string
  readonly name: string
  /** Time at which they last wrote, in milliseconds since 1970. */
  readonly lastInboundAt: number
  /** Replies that they send, one after the other. */
  readonly answers: readonly string[]
}

/** A new number on the simulator, with everything that a business would get from Meta. */
export async function makeNumber(simulator: SimulatorAddresses, body: SimulatedNumberRequest) {
  const answer = await call(simulator, 'POST', '/numbers', body)
  return simulatedNumberSchema.parse(await answer.json())
}

/** Adds people who have written to a number before. */
export async function makePeople(
  simulator: SimulatorAddresses,
  phoneNumberId: string,
  people: readonly SimulatedPerson[],
): Promise<void> {
  const answer = await call(simulator, 'POST', '/people', { phone_number_id: phoneNumberId, people })
  await answer.body?.cancel()
}

/** Templates that an account has from the beginning, each as WhatsApp reviews it, with its verdict. */
export async function makeTemplates(
  simulator: SimulatorAddresses,
  accountId: string,
  templates: readonly object[],
): Promise<void> {
  const answer = await call(simulator, 'POST', '/templates', { account_id: accountId, templates })
  await answer.body?.cancel()
}

/** Takes back a number that could not be connected; where that fails it stays there and does no harm. */
export async function discardNumber(simulator: SimulatorAddresses, phoneNumberId: string): Promise<void> {
  const answer = await call(simulator, 'DELETE', `/numbers/${phoneNumberId}`).catch(() => undefined)
  await answer?.body?.cancel()
}

/** Returns the record's fields for a number on the simulator. */
export const simulatedAt = ({ url, publicUrl }: SimulatorAddresses, phoneNumberId: string) => ({
  graphUrl: url,
  simulated: { phonePageUrl: `${publicUrl}/?number=${phoneNumberId}` },
})

/** @returns `undefined` for a number that the simulator does not know, or where there is none. */
export async function placeOnSimulator(simulator: SimulatorAddresses | undefined, phoneNumberId: string) {
  if (!simulator) return undefined
  const answer = await call(simulator, 'GET', `/numbers/${phoneNumberId}`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200 ? simulatedAt(simulator, phoneNumberId) : undefined
}
