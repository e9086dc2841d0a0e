import { Page } from '../../ui/page.tsx'

/** Specification section 2, Settings & Billing. */
export function SettingsPage() {
  return <Page>{null}</Page>
}
