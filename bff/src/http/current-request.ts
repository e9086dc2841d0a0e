import { AsyncLocalStorage } from 'node:async_hooks'

/** The browser's request that is being answered: whom calls to services and provider are made for. */
export const currentRequest = new AsyncLocalStorage<{
  readonly requestId: string
  /** The browser's address. */
  readonly clientAddress: string
}>()
