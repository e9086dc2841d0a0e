import { useCallback, useEffect, useRef, useState } from 'react'

/** Milliseconds after the last key until typing counts as ended. */
const pauseMs = 4000

/** Returns whether the person is typing: from a key on, until a pause. */
export function useTyping(): { isTyping: boolean; typed: () => void; stop: () => void } {
  const [isTyping, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = useCallback(() => {
    clearTimeout(timer.current)
    setTyping(false)
  }, [])
  const typed = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTyping(false), pauseMs)
    setTyping(true)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { isTyping, typed, stop }
}
