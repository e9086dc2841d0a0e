import { Page } from '../../ui/page.tsx'

/** Specification section 2, Contacts. */
export function ContactsPage() {
  return <Page>{null}</Page>
}
