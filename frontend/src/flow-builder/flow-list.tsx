import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { botStatuses } from '@parley/contracts/bots'
import { type PageOf, pageQueryFields } from '@parley/contracts/records'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { explain } from '../lib/explain.ts'
import cards from '../ui/cards.module.css'
import { CursorPager } from '../ui/cursor-pager.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { ListBar } from '../ui/list-bar.tsx'
import { Page } from '../ui/page.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { SkeletonBlocks } from '../ui/skeleton.tsx'
import { statusNames } from './flow-status.tsx'

/** What the address says about a list of bots or workflows. */
export const flowListShape = {
  q: pageQueryFields.q,
  status: z.enum(botStatuses).optional(),
  cursor: pageQueryFields.cursor,
  /** Which page the cursor stands for. */
  page: z.coerce.number().int().min(2).max(10_000).optional(),
  /** The dialog that creates one. */
  new: z.literal('1').optional(),
}
export type FlowListUrl = z.infer<z.ZodObject<typeof flowListShape>>

const pageSize = 24

/** The call that reads the page which the address names. */
export const flowQueryOf = ({ q, status, cursor }: FlowListUrl) => ({ q, status, cursor, limit: pageSize })
export type FlowQuery = ReturnType<typeof flowQueryOf>

const firstPage = { cursor: undefined, page: undefined }

export interface FlowListProps {
  url: FlowListUrl
  change: (patch: Partial<FlowListUrl>, how?: { replace?: boolean }) => void
}

interface Words {
  /** `bot`; its plural has an s. */
  readonly what: string
  /** Of the button that creates one. */
  readonly create: string
  readonly description: string
  /** What it is good for, while there is none. */
  readonly purpose: string
}

interface Props<R> extends FlowListProps {
  list: Pick<UseQueryResult<PageOf<R>>, 'data' | 'error' | 'isFetching' | 'refetch'>
  words: Words
  icon: ReactNode
  cardHeight: string
  card: (record: R) => ReactNode
  summary?: ReactNode
}

/** Bots or workflows as cards, with search and filter. */
export function FlowList<R>(props: Props<R>) {
  const { url, change, words, summary } = props
  return (
    <Page
      description={words.description}
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
          {words.create}
        </Button>
      }
    >
      {summary}
      <ListBar>
        <SearchField
          label={`Search ${words.what}s`}
          value={url.q ?? ''}
          onSearch={(q) => change({ q, ...firstPage }, { replace: true })}
        />
        <FilterMenu
          groups={[
            {
              name: 'status',
              label: 'Status',
              many: false,
              options: botStatuses.map((value) => ({ value, label: statusNames[value] })),
              chosen: url.status ? [url.status] : [],
            },
          ]}
          onChange={(_, values) => change({ status: botStatuses.find((status) => status === values[0]), ...firstPage })}
        />
      </ListBar>
      <Cards {...props} />
    </Page>
  )
}

function Cards<R>({
  list: { data, error, isFetching, refetch },
  url,
  change,
  words,
  icon,
  cardHeight,
  card,
}: Props<R>) {
  const { what, purpose } = words
  const title = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}s`
  if (error && !isFetching)
    return (
      <ErrorState
        title={`The ${what}s could not be loaded`}
        message={explain(error, 'Nothing is lost. Check your connection and try again.')}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={6} height={cardHeight} className={cards['grid']} />
  if (data.items.length > 0)
    return (
      <>
        <ul className={cards['grid']} aria-label={title}>
          {data.items.map(card)}
        </ul>
        <CursorPager list={data} size={pageSize} page={url.page} what={`${what}s`} onGo={change} />
      </>
    )
  return url.q || url.status || url.cursor ? (
    <EmptyState
      icon={icon}
      title={`No ${what} matches`}
      message="Try another word or another status."
      action={<Button onClick={() => change({ q: undefined, status: undefined, ...firstPage })}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={icon}
      title={`No ${what}s yet`}
      message={purpose}
      action={<Button onClick={() => change({ new: '1' })}>Create your first {what}</Button>}
    />
  )
}
