import { Page } from '../../ui/page.tsx'

/** Specification section 2, WhatsApp Numbers. */
export function NumbersPage() {
  return <Page>{null}</Page>
}
