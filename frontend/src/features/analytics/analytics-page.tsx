import { Page } from '../../ui/page.tsx'

/** Specification section 2, Analytics. */
export function AnalyticsPage() {
  return <Page>{null}</Page>
}
