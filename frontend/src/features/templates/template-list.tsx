import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import { templateCategories } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { categoryLabels } from '../../lib/category-labels.ts'
import { type Account, useAccounts } from '../../lib/choices/accounts.ts'
import { CardList } from '../../ui/card-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterGroup } from '../../ui/filter-menu.tsx'
import { templateListOptions, templateSummaryOptions } from './api.ts'
import { languageName, statusLabels } from './labels.ts'
import { TemplateCard } from './template-card.tsx'
import { type ChangeUrl, queryOf, type TemplatesUrl } from './url.ts'

const filterable = ['approved', 'pending', 'rejected', 'draft'] as const

const filtersOf = (
  { status, category, language, accountId }: TemplatesUrl,
  used: readonly string[],
  accounts: readonly Account[],
): FilterGroup[] => [
  {
    name: 'status',
    label: 'Status',
    many: true,
    options: filterable.map((value) => ({ value, label: statusLabels[value].word })),
    chosen: status ?? [],
  },
  {
    name: 'category',
    label: 'Category',
    many: true,
    options: templateCategories.map((value) => ({ value, label: categoryLabels[value] })),
    chosen: category ?? [],
  },
  {
    name: 'language',
    label: 'Language',
    many: true,
    options: [...new Set([...used, ...(language ?? [])])]
      .map((value) => ({ value, label: languageName(value) }))
      .sort((left, right) => left.label.localeCompare(right.label)),
    chosen: language ?? [],
  },
  ...(accounts.length > 0
    ? [
        {
          name: 'accountId',
          label: 'Account',
          many: false,
          options: accounts.map(({ id, label }) => ({ value: id, label })),
          chosen: accountId ? [accountId] : [],
        },
      ]
    : []),
]

/** List of templates: search, filters and the cards. */
export function TemplateList({ url, change }: { url: TemplatesUrl; change: ChangeUrl }) {
  const list = useQuery(templateListOptions(queryOf(url)))
  const languages = useQuery(templateSummaryOptions()).data?.languages
  const accounts = useAccounts()
  return (
    <CardList
      list={list}
      url={url}
      change={change}
      what="template"
      filters={filtersOf(url, languages ?? [], accounts)}
      empty={
        <EmptyState
          icon={<FileTextOutlined />}
          title="Write your first template"
          message="More than 24 hours after a customer’s last message, WhatsApp only delivers approved templates. Campaigns, bots and workflows can send them."
          action={<Button onClick={() => change({ new: '1' })}>Write a template</Button>}
        />
      }
      failure="Nothing is lost. Check your connection and try again."
      cardHeight="313px"
      card={(template) => (
        <TemplateCard
          key={template.id}
          template={template}
          account={accounts.find(({ id }) => id === template.accountId)?.label}
          onEdit={() => change({ edit: template.id })}
          onDuplicate={() => change({ duplicate: template.id })}
          onTranslate={() => change({ translate: template.id })}
          onDetails={() => change({ details: template.id })}
        />
      )}
    />
  )
}
