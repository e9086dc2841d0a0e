import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import TableOutlined from '@ant-design/icons/TableOutlined'
import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { defaultPageSize } from '@parley/contracts/core/records'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { contactJobsOptions, isWorking } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useRetry } from '../../../lib/use-retry.ts'
import { CursorPager, firstPage, useFirstPageWhenGone } from '../../../ui/cursor-pager.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ListBar } from '../../../ui/list-bar.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { useIsMobile } from '../../../ui/use-media.ts'
import { contactListOptions } from '../api.ts'
import type { ExportRequest } from '../jobs/export-dialog.tsx'
import { pageState, pairOf, pickedCount, selectionOf } from '../selection.ts'
import { type ChangeUrl, type ContactsUrl, filterOf, noFilters, queryOf } from '../url.ts'
import { useSelection } from '../use-selection.ts'
import { type Columns, useColumns } from './columns.ts'
import styles from './contact-browser.module.css'
import { ContactFilters } from './contact-filters.tsx'
import { ContactList } from './contact-list.tsx'
import { ContactViews } from './contact-views.tsx'
import { ContactsSkeleton } from './contacts-skeleton.tsx'
import { NarrowBy } from './narrow-by.tsx'
import { SelectionOver } from './selection-bar.tsx'
import { useContactCommands } from './use-contact-commands.tsx'

const ContactDrawer = lazy(async () => ({ default: (await import('../details/contact-drawer.tsx')).ContactDrawer }))
const ErasureMentions = lazy(async () => ({
  default: (await import('../jobs/erasure-mentions.tsx')).ErasureMentions,
}))
const JobStrip = lazy(async () => ({ default: (await import('../../../ui/job-strip.tsx')).JobStrip }))
const NoContacts = lazy(async () => ({ default: (await import('./no-contacts.tsx')).NoContacts }))
const SearchedSoFar = lazy(async () => ({ default: (await import('./searched-so-far.tsx')).SearchedSoFar }))
const MergeDialog = lazy(async () => ({ default: (await import('../merge/merge-dialog.tsx')).MergeDialog }))
const ExportDialog = lazy(async () => ({ default: (await import('../jobs/export-dialog.tsx')).ExportDialog }))

/** Segments, search, filters, the page of contacts, and what is done with those selected. */
export function ContactBrowser({ url, change }: { url: ContactsUrl; change: ChangeUrl }) {
  const retry = useRetry()
  const isMobile = useIsMobile()
  const columns = useColumns()
  const { data, error, isLoadingError, isFetching, isPlaceholderData, dataUpdatedAt } = useQuery(
    contactListOptions(queryOf(url)),
  )
  const clock = useClock(dataUpdatedAt)
  const filter = filterOf(url)
  const page = data?.items.map(({ id }) => id) ?? []
  const selection = useSelection(page, JSON.stringify(filter))
  const count = pickedCount(selection.picked, data?.total ?? 0)
  const working = useWorkingJobs()
  const hasMentions = useHasMentions()
  const mayNotExport = useIsRefused('contacts:export')
  const [exporting, setExporting] = useState<{ request: ExportRequest; open: boolean }>()
  const mayNotWrite = useIsRefused('contacts:write')
  const pair = pairOf(selection.picked)
  const [merging, setMerging] = useState<{ pair: [string, string]; open: boolean }>()
  const askExport = (request: ExportRequest) => setExporting({ request, open: true })
  const { commands, tagSelected, deleteSelected, dialogs } = useContactCommands({
    selection: {
      selection: selectionOf(selection.picked, filter),
      count,
      onDone: selection.clear,
      onGone: selection.forget,
    },
    onOpen: ({ id }) => change({ contact: id }),
    onEdit: ({ id }) => change({ edit: id }),
  })
  // Once opened it stays mounted, so that it can close with its motion.
  const [opened, setOpened] = useState(false)
  if (url.contact && !opened) setOpened(true)
  const onSearch = useCallback((q: string) => change({ q, ...firstPage }, { replace: true }), [change])
  const searchedTo = data?.searchedTo
  useFirstPageWhenGone(searchedTo === undefined ? data : undefined, url.cursor, change)

  const hasFilters = Object.keys(filter).length > 0
  const canPickMore = selection.picked.kind === 'ids' && pageState(selection.picked, page) === 'all'
  return (
    <>
      <div className={styles['browser']} data-bare={(data?.total === 0 && !hasFilters) || undefined}>
        <NarrowBy url={url} change={change} contacts={data?.items ?? []} />
        <section className={styles['list']} aria-label="Contacts" aria-busy={isFetching}>
          <SelectionOver
            bar={{
              count,
              total: canPickMore && data && data.total > count ? data.total : undefined,
              onEverything: selection.pickEverything,
              onClear: selection.clear,
              onAddTag: tagSelected,
              onMerge: pair && !mayNotWrite ? () => setMerging({ pair, open: true }) : undefined,
              onExport: mayNotExport
                ? undefined
                : () => askExport({ selection: selectionOf(selection.picked, filter), count }),
              onDelete: deleteSelected,
            }}
          >
            <ListBar
              actions={
                <>
                  <ContactViews url={url} change={change} columns={columns} />
                  {!isMobile && <ColumnsMenu columns={columns} />}
                  {!mayNotExport && (
                    <Button
                      icon={<DownloadOutlined aria-hidden />}
                      disabled={!data || data.total === 0}
                      onClick={() => askExport({ selection: { filter }, count: data?.total ?? 0 })}
                    >
                      <span className={styles['onlyIcon']}>Export</span>
                    </Button>
                  )}
                </>
              }
            >
              <SearchField
                label="Search contacts"
                placeholder="Name, phone or tag"
                value={url.q ?? ''}
                onSearch={onSearch}
              />
              <ContactFilters url={url} change={change} />
            </ListBar>
          </SelectionOver>
          <Suspense>{working.length > 0 && <JobStrip jobs={working} />}</Suspense>
          <Suspense>{hasMentions && <ErasureMentions />}</Suspense>
          {error instanceof ApiError && error.status === 404 ? (
            <EmptyState
              title={url.imported ? 'This import could not be found' : 'This segment could not be found'}
              message="It may have been deleted, or the link may be wrong."
              action={<Button onClick={() => change(noFilters)}>Show all contacts</Button>}
            />
          ) : isLoadingError && !isFetching ? (
            <ErrorState
              title="The contacts could not be loaded"
              message={explain(error, 'Nothing is lost. Check your connection and try again.')}
              onRetry={retry}
            />
          ) : !data ? (
            <ContactsSkeleton />
          ) : data.total === 0 ? (
            <Suspense>
              <NoContacts hasFilters={hasFilters} change={change} />
            </Suspense>
          ) : (
            <div className={styles['page']} data-old={isPlaceholderData}>
              {searchedTo !== undefined && (
                <Suspense>
                  <SearchedSoFar
                    to={searchedTo}
                    sort={url.sort ?? 'last_contact'}
                    isEmpty={data.items.length === 0}
                    timeZone={clock.timeZone}
                    onContinue={() => change({ cursor: data.nextCursor ?? undefined, page: (url.page ?? 1) + 1 })}
                  />
                </Suspense>
              )}
              <ContactList
                contacts={data.items}
                selection={selection}
                commands={commands}
                clock={clock}
                columns={columns.shown}
                sort={url.sort ?? 'last_contact'}
                onSort={(sort) => change({ sort: sort === 'last_contact' ? undefined : sort, ...firstPage })}
              />
              <CursorPager list={data} size={defaultPageSize} page={url.page} what="contact" always onGo={change} />
            </div>
          )}
        </section>
      </div>
      {opened && (
        <Suspense>
          <ContactDrawer
            id={url.contact}
            segment={url.segment}
            commands={commands}
            onClose={() => change({ contact: undefined })}
          />
        </Suspense>
      )}
      {dialogs}
      {merging && (
        <Suspense>
          <MergeDialog
            open={merging.open}
            keptId={merging.pair[0]}
            otherId={merging.pair[1]}
            onClose={() => setMerging({ ...merging, open: false })}
            onMerged={selection.clear}
          />
        </Suspense>
      )}
      {exporting && (
        <Suspense>
          <ExportDialog {...exporting} onClose={() => setExporting({ ...exporting, open: false })} />
        </Suspense>
      )}
    </>
  )
}

/** Returns whether an erasure has found mentions of the person by members. */
const useHasMentions = (): boolean =>
  (useQuery(contactJobsOptions()).data ?? []).some(({ mentions }) => mentions !== undefined)

/** Returns the workspace's running jobs over contacts, started by any member. */
const useWorkingJobs = (): readonly ContactJob[] => (useQuery(contactJobsOptions()).data ?? []).filter(isWorking)

const ColumnChoices = lazy(async () => ({ default: (await import('./column-choices.tsx')).ColumnChoices }))

/** Selects the columns that the table shows. */
function ColumnsMenu({ columns }: { columns: Columns }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Columns"
      open={open}
      onOpenChange={setOpen}
      align="end"
      button={
        <Button type="default" icon={<TableOutlined aria-hidden />}>
          Columns
        </Button>
      }
    >
      <Suspense>
        <ColumnChoices columns={columns} />
      </Suspense>
    </Popover>
  )
}
