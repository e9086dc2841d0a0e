import { type Absence, availabilityApi, isAway } from '@parley/contracts/inbox/availability'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { availabilityKeys } from '../query-keys.ts'
import { useNow } from '../use-now.ts'

/** Query of the members who are away; those whose time is over may still be among them. */
const availabilityOptions = () =>
  queryOptions({
    queryKey: availabilityKeys.all,
    queryFn: async ({ signal }) => (await call(availabilityApi.list, { signal })).away,
  })

/** Returns what tells whether a member is away now; `undefined` for those who are not, and while it is read. */
export function useAbsence(): (userId: string | undefined) => Absence | undefined {
  const { data, dataUpdatedAt } = useQuery(availabilityOptions())
  const now = useNow(dataUpdatedAt)
  return (userId) => data?.find((absence) => absence.userId === userId && isAway(absence, now))
}
