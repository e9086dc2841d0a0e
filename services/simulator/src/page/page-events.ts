import { EventEmitter } from 'node:events'
import type { Delivery, Message } from '../records.ts'
import { aboutOf } from '../webhooks/delivery-log.ts'

type ToldDelivery = Pick<Delivery, 'id' | 'accountId' | 'state' | 'attempts' | 'createdAt'> & { readonly about: string }

/** Events that the page of phones receives while it is open. */
export type PageEvent =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'delivery'; readonly delivery: ToldDelivery }
  | { readonly kind: 'typing'; readonly numberId: string; readonly customerId: string }
  | { readonly kind: 'changed' }

export function createPageEvents() {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(100)
  const emit = (event: PageEvent) => emitter.emit('event', event)
  return {
    message: (message: Message) => void emit({ kind: 'message', message }),
    delivery: ({ id, accountId, state, attempts, createdAt, body }: Delivery) => {
      if (emitter.listenerCount('event') === 0) return
      emit({ kind: 'delivery', delivery: { id, accountId, state, attempts, createdAt, about: aboutOf(body) } })
    },
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
