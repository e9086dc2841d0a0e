import { authChannel } from '@parley/contracts/account/auth'
import { z } from 'zod'

const tabMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('signed-in') }),
  z.object({ type: z.literal('signed-out') }),
  /** Message of the handler page: a popup has just started a session. */
  z.object({ type: z.literal('session-ready') }),
])
export type TabMessage = z.infer<typeof tabMessageSchema>

const channel = openChannel()

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(authChannel)
  } catch {
    // Not supported here, or forbidden: the tabs then find out when they are looked at.
    return undefined
  }
}

/** Tells the other tabs of this browser; the sender hears nothing. */
export const notifyTabs = (message: TabMessage): void => channel?.postMessage(message)

/** Listens to the other tabs. @returns a function that stops listening. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const receive = (event: MessageEvent) => {
    const message = tabMessageSchema.safeParse(event.data)
    if (message.success) listener(message.data)
  }
  channel?.addEventListener('message', receive)
  return () => channel?.removeEventListener('message', receive)
}
