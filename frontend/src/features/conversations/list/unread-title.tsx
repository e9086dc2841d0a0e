import { useQuery } from '@tanstack/react-query'
import { useTitleCount } from '../../../ui/document-title.ts'
import { inboxSummaryOptions } from './summary.ts'

/** The tab tells how many messages nobody has read yet, whatever screen it shows. */
export function UnreadTitle() {
  useTitleCount(useQuery(inboxSummaryOptions()).data?.unread ?? 0)
  return null
}
