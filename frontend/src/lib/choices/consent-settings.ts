import { consentApi } from '@parley/contracts/contacts/consent'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { consentKeys } from '../query-keys.ts'

/** The workspace's rules about consent. */
export const consentSettingsOptions = () =>
  queryOptions({
    queryKey: consentKeys.settings,
    queryFn: ({ signal }) => call(consentApi.settings, { signal }),
  })
