import { Page } from '../../ui/page.tsx'

/** Specification section 2, Webhooks. */
export function WebhooksPage() {
  return <Page>{null}</Page>
}
