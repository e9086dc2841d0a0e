import { type SampleDataState, sampleDataApi } from '@parley/contracts/platform/sample-data'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toast.ts'
import { call } from './api.ts'
import { sampleDataKeys } from './query-keys.ts'
import { useChange } from './use-change.ts'

const sampleDataOptions = () =>
  queryOptions({
    queryKey: sampleDataKeys.all,
    queryFn: ({ signal }) => call(sampleDataApi.state, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Returns the state of the workspace's sample data; undefined while it is not known. */
export const useSampleData = () => useQuery(sampleDataOptions()).data?.state

/** Adds the sample data, or takes it out again; every screen reads again what it shows, and once more when an event tells the end. */
export function useChangeSampleData(to: 'load' | 'clear') {
  const client = useQueryClient()
  return useChange<void, SampleDataState>({
    run: (_, intent) => call(sampleDataApi[to], intent),
    onSuccess: (answer) => {
      client.setQueryData(sampleDataKeys.all, answer)
      return client.invalidateQueries()
    },
    onError: () => {
      toast.error(`The sample data could not be ${to === 'load' ? 'loaded' : 'cleared'}. Try again.`)
    },
  })
}
