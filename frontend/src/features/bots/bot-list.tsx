import PlusOutlined from '@ant-design/icons/PlusOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import { type Bot, botStatuses } from '@parley/contracts/bots'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { explain } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { botListOptions } from './api.ts'
import { BotCard } from './bot-card.tsx'
import { CreateBotDialog } from './create-bot-dialog.tsx'

interface ListState {
  readonly q?: string | undefined
  readonly status?: Bot['status'] | undefined
  readonly new?: '1' | undefined
}

interface Listed {
  state: ListState
  onChange: (patch: ListState, how?: { replace?: boolean }) => void
}

const statusNames = { active: 'Active', paused: 'Paused' } as const

/** The bots as cards, with search, filter and the dialog that creates one. */
export function BotList({ state, onChange }: Listed) {
  return (
    <Page
      description="Bots answer the routine, and hand over to your team when a person is needed."
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => onChange({ new: '1' })}>
          Create Bot
        </Button>
      }
    >
      <ListBar>
        <SearchField label="Search bots" value={state.q ?? ''} onSearch={(q) => onChange({ q }, { replace: true })} />
        <FilterMenu
          groups={[
            {
              name: 'status',
              label: 'Status',
              many: false,
              options: botStatuses.map((value) => ({ value, label: statusNames[value] })),
              chosen: state.status ? [state.status] : [],
            },
          ]}
          onChange={(_, values) => onChange({ status: botStatuses.find((status) => status === values[0]) })}
        />
      </ListBar>
      <Cards state={state} onChange={onChange} />
      <CreateBotDialog open={state.new === '1'} onClose={() => onChange({ new: undefined })} />
    </Page>
  )
}

function Cards({ state: { q, status }, onChange }: Listed) {
  const { data, error, isFetching, refetch } = useQuery(botListOptions({ q, status }))
  if (error && !isFetching)
    return (
      <ErrorState
        title="The bots could not be loaded"
        message={explain(error, 'Nothing is lost. Check your connection and try again.')}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={6} height="206px" className={cards['grid']} />
  if (data.items.length > 0)
    return (
      <>
        <ul className={cards['grid']} aria-label="Bots">
          {data.items.map((bot) => (
            <BotCard key={bot.id} bot={bot} />
          ))}
        </ul>
        {data.total > data.items.length && (
          <p className={cards['sub']}>
            The first {formatCount(data.items.length)} of {formatCount(data.total)} bots. Search to find the others.
          </p>
        )}
      </>
    )
  return q || status ? (
    <EmptyState
      icon={<RobotOutlined />}
      title="No bot matches"
      message="Try another word or another status."
      action={<Button onClick={() => onChange({ q: undefined, status: undefined })}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={<RobotOutlined />}
      title="No bots yet"
      message="A bot answers what customers ask most, at any hour, and hands over to your team when it cannot help. Start from the sample flow and change it to your words."
      action={<Button onClick={() => onChange({ new: '1' })}>Create your first bot</Button>}
    />
  )
}
