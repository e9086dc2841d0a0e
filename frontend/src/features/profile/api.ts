import { profileApi, type User } from '@parley/contracts/account/profile'
import { workspaceApi } from '@parley/contracts/account/workspace'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { withIdToken } from '../../lib/auth/session.ts'
import { differencesOf, mergedValues } from '../../lib/differences.ts'
import { userKey, workspaceKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'
import { toast } from '../../ui/toast.ts'
import { fieldsOfValues, formFields, type ProfileFormValues, valuesOfUser } from './form-values.ts'

interface Save {
  readonly values: ProfileFormValues
  /** Profile as the form has seen it; absent for a first one. */
  readonly seen: User | undefined
}

/**
 * Saves the whole profile. What another tab has saved since the form saw it stays, unless both have
 * changed the same field: that is refused as `stale_version`. The answer replaces the cached user, which is then refetched:
 * this invalidates `userKey`. `onSaved` runs even if the form is gone by then: a new profile moves the guard at once.
 */
export function useSaveProfile(onSaved: (user: User) => void) {
  const client = useQueryClient()
  return useChange({
    run: saveProfile,
    onSuccess: (user) => {
      client.setQueryData(userKey, user)
      onSaved(user)
      void client.invalidateQueries({ queryKey: userKey })
    },
  })
}

/** Names the workspace of a first owner. A failure costs the name alone, which Settings has too. */
export function useRenameWorkspace() {
  const client = useQueryClient()
  return useChange({
    run: (body: { name: string; version: number }, intent) => call(workspaceApi.update, { body, ...intent }),
    onSuccess: () =>
      Promise.all([userKey, workspaceKeys.all].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onError: () => toast.error('Your business could not be named. Name it in Settings.'),
  })
}

async function saveProfile({ values, seen }: Save, intent: Intent): Promise<User> {
  const body = { ...fieldsOfValues(values), ...(seen && { version: seen.version }) }
  try {
    return await withIdToken((bearer) => call(profileApi.update, { body, bearer, ...intent }))
  } catch (error) {
    const current = staleRecord(error, profileApi.update)
    if (!seen || !current || current.version === seen.version) throw error
    const states = { base: valuesOfUser(seen), mine: values, theirs: valuesOfUser(current) }
    if (differencesOf(formFields, states).some(({ isContested }) => isContested)) throw error
    // Another body is another intent.
    return saveProfile({ values: mergedValues(states), seen: current }, { idempotencyKey: crypto.randomUUID() })
  }
}

/** The toast for a failed save. */
export function saveErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to update profile'
  return error.body.message || `Failed to update profile (${error.status})`
}
