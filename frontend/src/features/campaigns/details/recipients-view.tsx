import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { outcomes, type RecipientQuery, recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { RemovedRecipients } from '@parley/contracts/campaigns/removed-recipients'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../../../lib/api.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import { outcomeLabels, type Shown } from '../labels.ts'
import type { OpenDraft } from './open-draft.ts'
import { PeopleFound } from './people-found.tsx'
import { RecipientRow } from './recipient-row.tsx'
import styles from './recipients.module.css'
import { SendUnconfirmedAgain } from './unconfirmed.tsx'

/** Rows are read again as the figures move, so often at most, and only as many pages as are read quickly. */
const refreshMs = 3000
const maxRefreshed = 5

interface Props {
  readonly campaign: Campaign
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
  readonly onDraft: OpenDraft
}

/** Shows a campaign's recipients and the outcome of each: the rows behind its figures. */
export function RecipientsView(props: Props) {
  const { recipientsRemoved } = props.campaign
  if (!recipientsRemoved) return <Recipients {...props} />
  return (
    <section className={styles['view']} aria-label="Recipients">
      <RemovedNote {...recipientsRemoved} />
    </section>
  )
}

/** Note shown once the list is no longer kept. */
function RemovedNote({ at, months }: RemovedRecipients) {
  const { timeZone } = useClock(0)
  const day = dateTimeFormat(undefined, { timeZone, dateStyle: 'medium' }).format(new Date(at))
  return (
    <p>
      The list of recipients was kept for {counted(months, 'month')}, and was removed on {day}. The numbers stay.
    </p>
  )
}

function Recipients({ campaign, shown, onShow, onDraft }: Props) {
  const mayNotExport = useIsRefused('contacts:export')
  const [q, setQ] = useState('')
  const [code, setCode] = useState<number>()
  const query: RecipientQuery = {
    ...(shown !== 'all' && { outcome: shown }),
    ...(shown === 'failed' && code !== undefined && { code }),
    ...(q && { q }),
  }
  const list = useInfiniteQuery(recipientsOptions(campaign.id, query))
  const { now, timeZone } = useClock(list.dataUpdatedAt)
  useRefresh(list, campaign.counts)
  const [first] = list.data?.pages ?? []
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const failures = first?.failures ?? []
  return (
    <section className={styles['view']} aria-label="Recipients">
      <div className={styles['bar']}>
        <Select<Shown>
          aria-label="Show"
          className={styles['choice'] ?? ''}
          value={shown}
          options={(['all', ...outcomes] as const).map((value) => ({ value, label: outcomeLabels[value] }))}
          onChange={onShow}
        />
        {shown === 'failed' && failures.length > 0 && (
          <Select<number>
            aria-label="Reason"
            className={styles['choice'] ?? ''}
            placeholder="Any reason"
            allowClear
            value={code ?? null}
            options={failures.map((failure) => ({
              value: failure.code,
              label: `${failure.title} (${formatCount(failure.count)})`,
            }))}
            onChange={(value: number | undefined) => setCode(value)}
          />
        )}
        <SearchField label="Find a person" placeholder="Find a person by name or number" value={q} onSearch={setQ} />
      </div>
      {list.isLoadingError ? (
        <p role="alert">
          {list.error instanceof ApiError && list.error.status === 422
            ? list.error.body.message
            : 'The recipients could not be read.'}{' '}
          <Button onClick={() => void list.refetch()}>Retry</Button>
        </p>
      ) : first?.removed ? (
        <RemovedNote {...first.removed} />
      ) : !first ? (
        <Skeleton>
          <SkeletonBar height="64px" />
          <SkeletonBar height="64px" />
          <SkeletonBar height="64px" />
        </Skeleton>
      ) : (
        <>
          <div className={styles['head']}>
            <p className={styles['count']} aria-live="polite">
              {first.total === 0 ? (q ? 'Nobody is found here.' : 'Nobody is here.') : counted(first.total, 'contact')}
            </p>
            {first.total > 0 && !q && !mayNotExport && (
              <Button
                size="small"
                icon={<DownloadOutlined aria-hidden />}
                href={downloadOf(campaign.id, query)}
                download
              >
                Export (CSV)
              </Button>
            )}
          </div>
          {shown === 'uncertain' && (
            <div>
              <SendUnconfirmedAgain campaign={campaign} onDraft={onDraft} />
            </div>
          )}
          <ul className={styles['list']}>
            {rows.map((row) => (
              <RecipientRow key={row.id} recipient={row} now={now} timeZone={timeZone} />
            ))}
          </ul>
          {list.hasNextPage && (
            <div>
              <Button loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
          {q && !list.hasNextPage && (
            <PeopleFound
              campaign={campaign}
              q={q}
              listed={new Set(rows.map(({ contactId }) => contactId))}
              clock={{ now, timeZone }}
            />
          )}
        </>
      )}
    </section>
  )
}

function useRefresh(list: UseInfiniteQueryResult<InfiniteData<unknown>>, counts: Campaign['counts']): void {
  const { dataUpdatedAt, refetch } = list
  const [seen, setSeen] = useState(counts)
  const isBehind = seen !== counts && dataUpdatedAt > 0 && (list.data?.pages.length ?? 0) <= maxRefreshed
  useEffect(() => {
    if (!isBehind) return
    const timer = setTimeout(
      () => {
        setSeen(counts)
        void refetch({ cancelRefetch: false })
      },
      Math.max(0, dataUpdatedAt + refreshMs - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [isBehind, counts, dataUpdatedAt, refetch])
}

/** Rows of a campaign. Read again each time: they change while it runs. */
const recipientsOptions = (id: string, query: RecipientQuery) =>
  infiniteQueryOptions({
    queryKey: campaignKeys.recipients(id, query),
    queryFn: ({ pageParam, signal }) =>
      call(recipientsApi.list, {
        params: { id },
        query: { ...query, limit: 50, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })

/** Returns the address to download all of the same rows from. */
function downloadOf(id: string, { outcome, code }: Pick<RecipientQuery, 'outcome' | 'code'>): string {
  const which = { ...(outcome && { outcome }), ...(code !== undefined && { code: String(code) }) }
  const query = new URLSearchParams(which).toString()
  return `${recipientsApi.download.path.replace(':id', id)}${query && `?${query}`}`
}
