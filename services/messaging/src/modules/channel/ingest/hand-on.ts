import { errors } from '@parley/service-kit/core/errors'
import type { Destination, MoveState, Moves } from '@parley/service-kit/data/workspace-moves'

/** Number of cells that have handed a request on: two never lead it round and round. */
export const handedOnHeader = 'x-parley-handed-on'
const maxHandedOn = 5
const timeoutMs = 8000

/** A call of WhatsApp, as it has been parsed: nothing else of it leaves. */
interface ReceivedCall {
  readonly endpointId: string
  /** Header with the number of cells before. */
  readonly handedOn: unknown
  readonly handshake?: Readonly<Record<string, string>>
  readonly post?: { readonly body: Buffer; readonly signature: string; readonly type: string }
}

/**
 * Leads webhooks of a workspace that has moved to the cell that has it now: WhatsApp goes on calling the address that it was told. Nothing
 * is acknowledged that the other cell has not stored, and what is refused comes again (Meta repeats for days).
 */
export function createHandOn(moves: Pick<Moves, 'ofAddress'>) {
  /** Sends a call to the same address of the other cell. @returns its status. @throws `service_unavailable` where it has not answered. */
  async function send(
    { hooks }: Destination,
    { endpointId, handedOn, handshake, post }: ReceivedCall,
  ): Promise<number> {
    const before = Number(handedOn ?? 0)
    if (!(before < maxHandedOn)) throw errors.serviceUnavailable(new Error('cells lead to each other'))
    const url = new URL(`/hooks/whatsapp/${endpointId}`, hooks)
    url.search = new URLSearchParams(handshake).toString()
    const answer = await fetch(url, {
      method: post ? 'POST' : 'GET',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        [handedOnHeader]: String(before + 1),
        ...(post && { 'content-type': post.type, 'x-hub-signature-256': post.signature }),
      },
      ...(post && { body: new Uint8Array(post.body) }),
    }).catch((cause: unknown) => {
      throw errors.serviceUnavailable(cause)
    })
    // Its answers say nothing beside their status.
    await answer.body?.cancel()
    const { status } = answer
    if (status >= 300 && status < 400) throw errors.serviceUnavailable(new Error('the other cell redirects'))
    return status
  }

  /** Returns where webhooks of a move are stored. @throws `service_unavailable` while it is not decided. */
  function placeOf({ state, to }: MoveState): Destination {
    if ((state === 'gone' || state === 'clearing') && to) return to
    throw errors.serviceUnavailable(new Error('the workspace moves'))
  }

  return {
    /** Tells whether an address is one of a workspace that has left. */
    knows: async (address: string): Promise<boolean> => (await moves.ofAddress(address)) !== null,
    /**
     * Hands a call on where its workspace is another cell's, or moves.
     * @param move of its workspace, where that is known here. @returns the other cell's status; `undefined` where no other cell has it.
     */
    pass: async (call: ReceivedCall, move: MoveState | null): Promise<number | undefined> => {
      const found = move ?? (await moves.ofAddress(call.endpointId))
      return found ? send(placeOf(found), call) : undefined
    },
  }
}
export type HandOn = ReturnType<typeof createHandOn>
