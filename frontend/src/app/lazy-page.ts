import type { ComponentType } from 'react'

const reloadedKey = 'reloaded-for-part'
/** A second failure within this time is not cured by loading the page again. */
const reloadPauseMs = 60_000

/** A part of the app could not be loaded: the network was away, or a deployment has replaced the files of this version. */
export class ComponentNotLoaded extends Error {
  constructor(cause: unknown) {
    super('a part of the app could not be loaded', { cause })
    this.name = 'ComponentNotLoaded'
  }
}

/**
 * Loads a component of the app. Where that fails, the component throws `ComponentNotLoaded` as it is rendered, which the error boundary
 * around it answers: the router itself shows nothing at all for a route whose loading fails.
 */
export const loadComponent = (load: () => Promise<ComponentType>): Promise<ComponentType> =>
  load().catch((cause: unknown) => {
    const error = new ComponentNotLoaded(cause)
    return function MissingComponent(): never {
      throw error
    }
  })

/** Returns whether reloading the page may help: once a minute, and never while there is no network. */
export function mayReload(): boolean {
  if (!navigator.onLine) return false
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
    if (Date.now() - last < reloadPauseMs) return false
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    return true
  } catch {
    return false
  }
}
