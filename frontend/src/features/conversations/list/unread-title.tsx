import { useQuery } from '@tanstack/react-query'
import { inboxSummaryOptions } from '../../../lib/inbox-summary.ts'
import { useTitleCount } from '../../../ui/document-title.ts'

/** Shows the number of unread messages in the tab's title, whatever screen is open. */
export function UnreadTitle() {
  useTitleCount(useQuery(inboxSummaryOptions()).data?.unread ?? 0)
  return null
}
