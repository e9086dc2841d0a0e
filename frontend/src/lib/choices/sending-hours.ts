import { sendingHoursApi } from '@parley/contracts/campaigns/sending-hours'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { sendingHoursKeys } from '../query-keys.ts'
import { useClock } from '../use-clock.ts'

/** Query of the hours in which the workspace sends marketing. */
export const sendingHoursOptions = () =>
  queryOptions({
    queryKey: sendingHoursKeys.all,
    queryFn: ({ signal }) => call(sendingHoursApi.read, { signal }),
  })

/** The zone whose clock the workspace's plans go by: that of its sending hours. @returns the person's own until that is read. */
export function useWorkspaceZone(): { readonly timeZone: string; readonly ready: boolean } {
  const localZone = useClock(0).timeZone
  const { data, isPending } = useQuery(sendingHoursOptions())
  return { timeZone: data?.zone ?? localZone, ready: !isPending }
}
