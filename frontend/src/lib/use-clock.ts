import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { useNow } from './use-now.ts'
import { useUser } from './user.ts'

/** Returns the reference for times on a screen: the time now, kept current, and the zone of the person's profile. */
export function useClock(readAt: number): { now: Date; timeZone: string } {
  const timeZone = useUser().data?.timezone || defaultTimeZone
  return { now: useNow(readAt), timeZone }
}
