import { consentApi, type NewConsent } from '@parley/contracts/contacts/consent'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { contactKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

/** Number of consent entries shown, newest first: more than a person reads. */
const shownEntries = 50

export const consentOptions = (contactId: string) =>
  queryOptions({
    queryKey: contactKeys.consent(contactId),
    queryFn: ({ signal }) =>
      call(consentApi.entries, { params: { id: contactId }, query: { limit: shownEntries }, signal }),
  })

export function useRecordConsent(contactId: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: NewConsent, intent) => call(consentApi.record, { params: { id: contactId }, body, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: contactKeys.all }),
  })
}
