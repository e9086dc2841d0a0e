import { useQueryClient } from '@tanstack/react-query'

/** Reads again whatever the screen shows that could not be read: a list and the figures above it fail together. */
export function useRetry(): () => void {
  const queryClient = useQueryClient()
  return () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}
