import { z } from 'zod'

const tabMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('signed-in') }),
  z.object({ type: z.literal('signed-out') }),
])
export type TabMessage = z.infer<typeof tabMessageSchema>

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('auth')

/** Tells the other tabs of this browser; the sender hears nothing. */
export const tellTabs = (message: TabMessage): void => channel?.postMessage(message)

/** Listens to the other tabs. @returns a function that stops listening. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const receive = (event: MessageEvent) => {
    const message = tabMessageSchema.safeParse(event.data)
    if (message.success) listener(message.data)
  }
  channel?.addEventListener('message', receive)
  return () => channel?.removeEventListener('message', receive)
}
