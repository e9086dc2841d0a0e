import { type ConsentSettings, consentApi } from '@parley/contracts/contacts/consent'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { consentKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'

/** Saves the rules about consent. Another member's change meanwhile is shown, and not overwritten. */
export function useSaveConsentSettings() {
  const client = useQueryClient()
  const show = (settings: ConsentSettings) => client.setQueryData(consentKeys.settings, settings)
  return useChange({
    run: (body: ConsentSettings, intent) => call(consentApi.updateSettings, { body, ...intent }),
    onSuccess: show,
    onError: (error) => {
      const current = staleRecord(error, consentApi.updateSettings)
      if (current) show(current)
    },
  })
}
