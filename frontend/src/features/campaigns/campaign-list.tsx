import SendOutlined from '@ant-design/icons/SendOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useClock } from '../../lib/use-clock.ts'
import cards from '../../ui/cards.module.css'
import { CursorPager } from '../../ui/cursor-pager.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { campaignListOptions } from './api.ts'
import { CampaignCard } from './campaign-card.tsx'
import { type CampaignsUrl, type ChangeUrl, firstPage, noFilters, pageSize, queryOf } from './url.ts'
import { statusWords } from './words.ts'

const filterable = ['scheduled', 'active', 'completed', 'paused'] as const

/** Search, filter and the cards. */
export function CampaignList({ url, change }: { url: CampaignsUrl; change: ChangeUrl }) {
  const { data } = useQuery(campaignListOptions(queryOf(url)))
  if (data?.total === 0 && !url.q && !url.status?.length)
    return (
      <EmptyState
        icon={<SendOutlined />}
        title="Send your first campaign"
        message="Choose who gets it, an approved template and a time. Whoever opted out is left out by itself."
        action={<Button onClick={() => change({ new: '1' })}>Plan a campaign</Button>}
      />
    )
  return (
    <>
      <ListBar>
        <SearchField
          label="Search campaigns"
          value={url.q ?? ''}
          onSearch={(q) => change({ q, ...firstPage }, { replace: true })}
        />
        <FilterMenu
          groups={[
            {
              name: 'status',
              label: 'Status',
              many: true,
              options: filterable.map((value) => ({ value, label: statusWords[value].word })),
              chosen: url.status ?? [],
            },
          ]}
          onChange={(_, values) => change({ status: values.join(','), ...firstPage })}
        />
      </ListBar>
      <Cards url={url} change={change} />
    </>
  )
}

function Cards({ url, change }: { url: CampaignsUrl; change: ChangeUrl }) {
  const { data, isError, isFetching, refetch } = useQuery(campaignListOptions(queryOf(url)))
  const { timeZone } = useClock(0)
  if (isError && !isFetching)
    return (
      <ErrorState
        title="The campaigns could not be loaded"
        message="Running ones go on. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={6} height="226px" className={cards['grid']} />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="No campaign matches"
        message="Nothing fits this search and this filter."
        action={<Button onClick={() => change(noFilters)}>Clear filters</Button>}
      />
    )
  return (
    <>
      <ul className={cards['grid']} aria-label="Campaigns">
        {data.items.map((campaign) => (
          <CampaignCard
            key={campaign.id}
            campaign={campaign}
            timeZone={timeZone}
            onOpen={() => change({ id: campaign.id })}
          />
        ))}
      </ul>
      <CursorPager list={data} size={pageSize} page={url.page} what="campaigns" onGo={change} />
    </>
  )
}
