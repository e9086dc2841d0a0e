import { useEffect, useState } from 'react'

/**
 * The time, brought up to date every minute, so that relative times on an open page stay true; never before `readAt`
 * (milliseconds), when the records on screen were read.
 */
export function useNow(readAt: number): Date {
  const [tick, setTick] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return new Date(Math.max(tick, readAt))
}
