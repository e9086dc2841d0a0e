import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { formatCount } from '../../lib/format.ts'
import { Counters } from '../../ui/counters.tsx'
import { Page } from '../../ui/page.tsx'
import { campaignSummaryOptions } from './api.ts'
import { CampaignList } from './campaign-list.tsx'
import { CampaignDrawer } from './details/campaign-drawer.tsx'
import { NewBroadcast } from './new/new-broadcast.tsx'
import { useCampaignsUrl } from './url.ts'

/** Specification section 2, Campaigns: the list with the details of one, or the steps of a new broadcast. */
export function CampaignsPage() {
  const [url, change] = useCampaignsUrl()
  if (url.new) return <NewBroadcast url={url} change={change} />
  return (
    <Page
      description="One approved message to many contacts, now or at a time you choose."
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
          New Broadcast
        </Button>
      }
    >
      <Summary />
      <CampaignList url={url} change={change} />
      <CampaignDrawer id={url.id} onClose={() => change({ id: undefined })} />
    </Page>
  )
}

function Summary() {
  const { data } = useQuery(campaignSummaryOptions())
  return (
    <Counters
      items={[
        { label: 'Total', value: data?.total },
        { label: 'Active', value: data?.active },
        { label: 'Scheduled', value: data?.scheduled },
        { label: 'Completed', value: data?.completed },
        { label: 'Paused', value: data?.paused },
        { label: 'Messages sent', value: data && formatCount(data.sent) },
      ]}
    />
  )
}
