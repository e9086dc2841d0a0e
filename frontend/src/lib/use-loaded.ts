import { type ComponentType, startTransition, useEffect, useState } from 'react'

/**
 * A component whose code may come after the page shows. `undefined` until it is there. Where it cannot be loaded, the page
 * continues without it and loading is tried again as soon as the browser is online.
 */
export function useLoaded<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> | undefined {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>()
  useEffect(() => {
    const left = new AbortController()
    const attempt = async () => {
      try {
        const component = await load()
        if (!left.signal.aborted) startTransition(() => setLoaded(() => component))
      } catch {
        window.addEventListener('online', attempt, { once: true, signal: left.signal })
      }
    }
    void attempt()
    return () => left.abort()
  }, [load])
  return Loaded
}
