import { Page } from '../../ui/page.tsx'

/** Specification section 2, Conversations. */
export function ConversationsPage() {
  return <Page>{null}</Page>
}
