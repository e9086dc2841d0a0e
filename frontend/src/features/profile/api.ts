import { profileApi, type User } from '@parley/contracts/profile'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { withIdToken } from '../../lib/auth/session.ts'
import { userKey } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { fieldsOfValues, type ProfileFormValues, valuesOfUser, withOthersChanges } from './form-values.ts'

/**
 * Saves the whole profile (specification section 7); what another tab has saved since the form saw it stays. The answer replaces the cached user, which is then refetched: this
 * invalidates `userKey`. `onSaved` runs even if the form is gone by then: a new profile moves the guard at once.
 */
export function useSaveProfile(onSaved: (user: User) => void) {
  const client = useQueryClient()
  return useChange({
    run: async ({ values, seen }: { values: ProfileFormValues; seen?: ProfileFormValues | undefined }, intent) => {
      // Unread it is as the form has it: the save itself then says what is wrong.
      const user = seen && (await call(profileApi.user).catch(() => undefined))
      const body = fieldsOfValues(user ? withOthersChanges(values, { seen, stored: valuesOfUser(user) }) : values)
      return withIdToken((bearer) => call(profileApi.update, { body, bearer, ...intent }))
    },
    onSuccess: (user) => {
      client.setQueryData(userKey, user)
      onSaved(user)
      void client.invalidateQueries({ queryKey: userKey })
    },
  })
}

/** The toast for a failed save (specification section 8). */
export function saveErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to update profile'
  return error.body.message || `Failed to update profile (${error.status})`
}
