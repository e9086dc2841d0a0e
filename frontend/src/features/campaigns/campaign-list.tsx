import SendOutlined from '@ant-design/icons/SendOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useClock } from '../../lib/use-clock.ts'
import { CardList } from '../../ui/card-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { campaignListOptions } from './api.ts'
import { CampaignCard } from './campaign-card.tsx'
import { type CampaignsUrl, type ChangeUrl, queryOf } from './url.ts'
import { statusWords } from './words.ts'

const filterable = ['scheduled', 'active', 'completed', 'paused'] as const

/** Search, filter and the cards. */
export function CampaignList({ url, change }: { url: CampaignsUrl; change: ChangeUrl }) {
  const list = useQuery(campaignListOptions(queryOf(url)))
  const { timeZone } = useClock(0)
  return (
    <CardList
      list={list}
      url={url}
      change={change}
      what="campaign"
      filters={[
        {
          name: 'status',
          label: 'Status',
          many: true,
          options: filterable.map((value) => ({ value, label: statusWords[value].word })),
          chosen: url.status ?? [],
        },
      ]}
      empty={
        <EmptyState
          icon={<SendOutlined />}
          title="Send your first campaign"
          message="Choose an audience, an approved template and a time. People who opted out are excluded automatically."
          action={<Button onClick={() => change({ new: '1' })}>Plan a campaign</Button>}
        />
      }
      failure="Running campaigns are not affected. Check your connection and try again."
      cardHeight="190px"
      card={(campaign) => (
        <CampaignCard
          key={campaign.id}
          campaign={campaign}
          timeZone={timeZone}
          onOpen={() => change({ id: campaign.id })}
        />
      )}
    />
  )
}
