import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import { templateCategories, templateLanguages } from '@parley/contracts/templates'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import cards from '../../ui/cards.module.css'
import { CursorPager } from '../../ui/cursor-pager.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { templateListOptions, useDeleteTemplate } from './api.ts'
import { TemplateCard } from './template-card.tsx'
import { type ChangeUrl, firstPage, noFilters, pageSize, queryOf, type TemplatesUrl } from './url.ts'
import { categoryWords, statusWords } from './words.ts'

/** Search, filters and the cards. */
export function TemplateList({ url, change }: { url: TemplatesUrl; change: ChangeUrl }) {
  const { data } = useQuery(templateListOptions(queryOf(url)))
  const filtered = Boolean(url.q || url.status?.length || url.category?.length || url.language?.length)
  if (data?.total === 0 && !filtered)
    return (
      <EmptyState
        icon={<FileTextOutlined />}
        title="Write your first template"
        message="Outside of the 24 hours after a customer’s message, WhatsApp delivers approved templates only. Campaigns, bots and workflows send them."
        action={<Button onClick={() => change({ new: '1' })}>Write a template</Button>}
      />
    )
  return (
    <>
      <ListBar>
        <SearchField
          label="Search templates"
          value={url.q ?? ''}
          onSearch={(q) => change({ q, ...firstPage }, { replace: true })}
        />
        <FilterMenu
          groups={[
            {
              name: 'status',
              label: 'Status',
              many: true,
              options: (['approved', 'pending', 'rejected'] as const).map((value) => ({
                value,
                label: statusWords[value].word,
              })),
              chosen: url.status ?? [],
            },
            {
              name: 'category',
              label: 'Category',
              many: true,
              options: templateCategories.map((value) => ({ value, label: categoryWords[value] })),
              chosen: url.category ?? [],
            },
            {
              name: 'language',
              label: 'Language',
              many: true,
              options: templateLanguages,
              chosen: url.language ?? [],
            },
          ]}
          onChange={(name, values) => change({ [name]: values.join(','), ...firstPage })}
        />
      </ListBar>
      <Cards url={url} change={change} />
    </>
  )
}

function Cards({ url, change }: { url: TemplatesUrl; change: ChangeUrl }) {
  const { data, isError, isFetching, refetch } = useQuery(templateListOptions(queryOf(url)))
  const remove = useDeleteTemplate()
  if (isError && !isFetching)
    return (
      <ErrorState
        title="The templates could not be loaded"
        message="They are still there. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={6} height="276px" className={cards['grid']} />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="No template matches"
        message="Nothing fits this search and these filters."
        action={<Button onClick={() => change(noFilters)}>Clear filters</Button>}
      />
    )
  return (
    <>
      <ul className={cards['grid']} aria-label="Templates">
        {data.items.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            onEdit={() => change({ edit: template.id })}
            onDuplicate={() => change({ duplicate: template.id })}
            onDelete={() => remove.mutate(template)}
          />
        ))}
      </ul>
      <CursorPager list={data} size={pageSize} page={url.page} what="templates" onGo={change} />
    </>
  )
}
