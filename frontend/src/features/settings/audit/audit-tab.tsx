import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { auditApi } from '@parley/contracts/account/audit'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { dateAfter, momentOf } from '@parley/contracts/core/zoned-time'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { z } from 'zod'
import { ApiError, call } from '../../../lib/api.ts'
import { memberChoices, useIsRefused, useMay } from '../../../lib/choices/members.ts'
import { auditKeys } from '../../../lib/query-keys.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useUser } from '../../../lib/user.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { apiKeysOptions } from '../api-keys/api-keys-api.ts'
import settings from '../settings.module.css'
import { SettingsCard } from '../settings-card.tsx'
import styles from './audit.module.css'
import { AuditEntries } from './audit-entries.tsx'
import { actorText, capital, outcomeLabels, resourceLabels } from './audit-labels.ts'
import { RetentionCard } from './retention-card.tsx'

const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional()
const address = {
  actor: id,
  target: id,
  resource: id,
  outcome: z.enum(['done', 'refused', 'failed']).optional(),
  /** First and last day, by the person's clock. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
}

/** Shows what was done in the workspace, and by whom; of one record where the address names it. */
export function AuditTab() {
  const refused = useIsRefused('audit:read')
  const mayExport = useMay('audit:export') ?? false
  const [chosenFilter, change] = useUrlState(address)
  const members = useQuery({ ...memberChoices(), enabled: !refused }).data ?? []
  const keys = useQuery({ ...apiKeysOptions(), enabled: !refused }).data ?? []
  const timeZone = useUser().data?.timezone || defaultTimeZone
  const filter = filterOf(chosenFilter, timeZone)
  const { data, error, isFetching, refetch, dataUpdatedAt, ...earlier } = useInfiniteQuery(
    auditOptions(filter, !refused),
  )
  const clock = { now: useNow(dataUpdatedAt), timeZone }
  if (refused || (error instanceof ApiError && error.status === 403))
    return (
      <EmptyState
        title="You may not see the audit log"
        message="Owners and admins of the workspace read it. Ask one of them what was changed."
      />
    )
  const items = data?.pages.flatMap((page) => page.items)
  const actors = [
    ...members.map(({ userId, name }) => ({ value: userId, label: name })),
    ...keys.map(({ id, name }) => ({ value: id, label: `API key ${name}` })),
  ]
  // Somebody who has left, or a key that was revoked, is chosen by an entry.
  const other = actors.some(({ value }) => value === filter.actor) ? undefined : filter.actor
  const found = items?.find(({ actor }) => actor.id === other)
  const chosen = (value: string | undefined) => (value === undefined ? [] : [value])
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <div className={settings['cards']}>
      <SettingsCard
        title="Audit Log"
        lead="Every change of this workspace, sign-ins and what was refused. Each entry is chained to the one before: nobody can alter it unseen."
        badge={
          mayExport && (
            <div className={styles['exports']}>
              <Button href={auditFile('csv', filter)} icon={<DownloadOutlined aria-hidden />}>
                Export CSV
              </Button>
              <Button href={auditFile('ndjson', filter)} icon={<DownloadOutlined aria-hidden />}>
                Export with proof
              </Button>
            </div>
          )
        }
      >
        <div className={styles['filters']}>
          <FilterMenu
            groups={[
              {
                name: 'actor',
                label: 'Person or key',
                many: false,
                options: other ? [...actors, { value: other, label: found ? actorText(found) : other }] : actors,
                chosen: chosen(filter.actor),
              },
              {
                name: 'resource',
                label: 'Record',
                many: false,
                options: Object.entries(resourceLabels).map(([value, label]) => ({ value, label: capital(label) })),
                chosen: chosen(filter.resource),
              },
              {
                name: 'outcome',
                label: 'Outcome',
                many: false,
                options: Object.entries(outcomeLabels).map(([value, label]) => ({ value, label })),
                chosen: chosen(filter.outcome),
              },
            ]}
            {...(filter.target && {
              other: {
                label: 'One record',
                text: `History of ${filter.target}`,
                onOpen: () => undefined,
                onRemove: () => change({ target: undefined }),
              },
            })}
            onChange={(next) => change(next)}
          />
          <Days from={chosenFilter.from} to={chosenFilter.to} onChange={change} />
        </div>
        {items ? (
          items.length > 0 ? (
            <AuditEntries items={items} clock={clock} onActor={(actor) => change({ actor })} />
          ) : (
            <EmptyState
              title={isFiltered ? 'Nothing of that kind' : 'Nothing yet'}
              message={isFiltered ? 'No entry fits the filters.' : 'What members and API keys change appears here.'}
            />
          )
        ) : error && !isFetching ? (
          <ErrorState message="The audit log could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonBlocks count={6} height="56px" className={styles['entries']} />
        )}
        {earlier.isFetchNextPageError && <p role="alert">Earlier entries could not be loaded. Try again.</p>}
        {earlier.hasNextPage && (
          <div>
            <Button loading={earlier.isFetchingNextPage} onClick={() => void earlier.fetchNextPage()}>
              Show earlier
            </Button>
          </div>
        )}
      </SettingsCard>
      <RetentionCard />
    </div>
  )
}

type Query = NonNullable<EndpointRequest<typeof auditApi.list>['query']>
type AuditFilter = Pick<Query, 'actor' | 'target' | 'resource' | 'outcome' | 'from' | 'to'>

/** The filter as the server takes it: whole days become moments, the last day included. */
function filterOf({ from, to, ...chosen }: AuditFilter, timeZone: string): AuditFilter {
  const begin = (date: string) => momentOf({ date, time: '00:00' }, timeZone)?.toISOString()
  return { ...chosen, from: from && begin(from), to: to && begin(dateAfter(to, 1)) }
}

function Days({
  from,
  to,
  onChange,
}: Pick<AuditFilter, 'from' | 'to'> & { onChange: (days: Pick<AuditFilter, 'from' | 'to'>) => void }) {
  const days = [
    { name: 'from', label: 'First day', value: from, max: to },
    { name: 'to', label: 'Last day', value: to, min: from },
  ] as const
  return days.map(({ name, label, value = '', ...bounds }) => (
    <div key={name} className={styles['day']}>
      <label htmlFor={`audit-${name}`}>{label}</label>
      <Input
        {...bounds}
        id={`audit-${name}`}
        type="date"
        value={value}
        onChange={({ target }) => onChange({ [name]: target.value || undefined })}
      />
    </div>
  ))
}

const auditOptions = (filter: AuditFilter, enabled: boolean) =>
  infiniteQueryOptions({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam, signal }) =>
      call(auditApi.list, { query: { ...filter, limit: 50, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled,
    // No event tells of new entries.
    staleTime: 0,
  })

/** Returns the address to download the log from. */
const auditFile = (format: 'ndjson' | 'csv', filter: AuditFilter): string => {
  const chosen = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return `${auditApi.download.path}?${new URLSearchParams([['format', format], ...chosen] as string[][])}`
}
