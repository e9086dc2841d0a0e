import { EventEmitter } from 'node:events'
import type { Delivery, Message } from '../records.ts'

/** What the page of phones hears while it is open. */
export type PageEvent =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'delivery'; readonly delivery: Pick<Delivery, 'id' | 'state' | 'attempts' | 'createdAt'> }
  | { readonly kind: 'typing'; readonly numberId: string; readonly customerId: string }
  | { readonly kind: 'changed' }

export function createPageEvents() {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(100)
  const emit = (event: PageEvent) => emitter.emit('event', event)
  return {
    message: (message: Message) => void emit({ kind: 'message', message }),
    delivery: ({ id, state, attempts, createdAt }: Delivery) =>
      void emit({ kind: 'delivery', delivery: { id, state, attempts, createdAt } }),
    /** The business is typing to a customer. */
    typing: (numberId: string, customerId: string) => void emit({ kind: 'typing', numberId, customerId }),
    /** Numbers, people, faults or the clock have changed: the page reads them again. */
    changed: () => void emit({ kind: 'changed' }),
    subscribe: (listen: (event: PageEvent) => void): (() => void) => {
      emitter.on('event', listen)
      return () => emitter.off('event', listen)
    },
    stop: () => emitter.removeAllListeners(),
  }
}
