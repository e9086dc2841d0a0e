import { useCallback, useSyncExternalStore } from 'react'
import { sizes } from './theme.ts'

/** True while the media query matches. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** True below the mobile breakpoint of 768 px. */
export const useIsMobile = (): boolean => useMedia(`(max-width: ${sizes.mobile - 1}px)`)
