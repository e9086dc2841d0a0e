import { Page } from '../../ui/page.tsx'

/** Specification section 2, Campaigns. */
export function CampaignsPage() {
  return <Page>{null}</Page>
}
